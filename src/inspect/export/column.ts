/** The columns of the tables that lines of a crawl folder become: nested fields have a name with dots. */
import type { Finding } from '../../model/finding.ts';
import type { LinkRecord, PageRecord, SkippedRecord } from '../../model/record.ts';

/** `list` is any value that is not single: it is written as JSON. */
export type ColumnType = 'text' | 'integer' | 'real' | 'flag' | 'list';

export interface Column {
  /** `timing.ttfb` */
  readonly name: string;
  readonly path: readonly string[];
  readonly type: ColumnType;
}

interface Shape {
  readonly [field: string]: ColumnType | Shape;
}
type ShapeOf<Line> = Readonly<Record<keyof Line, ColumnType | Shape>>;

const ARCHIVED = { file: 'text', offset: 'integer', length: 'integer' } as const;

// a field that is added to a record must be added here: the compiler says so
const PAGE: ShapeOf<PageRecord> = {
  url: 'text',
  finalUrl: 'text',
  outcome: 'text',
  status: 'integer',
  redirects: 'list',
  contentType: 'text',
  bytes: 'integer',
  truncated: 'text',
  depth: 'integer',
  referrer: 'text',
  attempt: 'integer',
  confidence: 'text',
  startedAt: 'text',
  rendered: 'flag',
  timing: { wait: 'real', ttfb: 'real', load: 'real', settle: 'real', total: 'real' },
  settle: { reason: 'text', pending: 'list' },
  empty: 'flag',
  consent: 'text',
  title: 'text',
  description: 'text',
  canonical: 'text',
  lang: 'text',
  h1: 'list',
  facts: 'list',
  words: 'integer',
  robots: 'list',
  robotsRule: 'text',
  lastModified: 'text',
  digest: 'text',
  duplicateOf: 'text',
  similarity: 'real',
  credit: { cash: 'integer', history: 'integer', importance: 'real' },
  links: { found: 'integer', new: 'integer', parts: 'integer' },
  problems: { console: 'integer', exceptions: 'integer', failedRequests: 'integer' },
  snapshot: { html: 'text', text: 'text', screenshot: 'text', warc: ARCHIVED },
  signedIn: 'flag',
  again: 'flag',
  detail: 'text',
  rank: { pageRank: 'real', hub: 'real', authority: 'real', site: 'real' },
};

const LINK: ShapeOf<LinkRecord> = {
  from: 'text',
  to: 'text',
  href: 'text',
  kind: 'text',
  confidence: 'text',
  context: 'text',
  stage: 'text',
  frame: 'text',
  text: 'text',
  rel: 'list',
  new: 'flag',
};

const SKIPPED: ShapeOf<SkippedRecord> = {
  url: 'text',
  reason: 'text',
  rule: 'text',
  referrer: 'text',
};

const FINDING: ShapeOf<Finding> = {
  id: 'text',
  rule: 'text',
  severity: 'text',
  confidence: 'text',
  url: 'text',
  target: 'text',
  message: 'text',
  evidence: 'list',
  group: 'text',
  sources: { count: 'integer', first: 'list' },
};

export const PAGE_COLUMNS: readonly Column[] = columnsOf(PAGE);
export const LINK_COLUMNS: readonly Column[] = columnsOf(LINK);
export const SKIPPED_COLUMNS: readonly Column[] = columnsOf(SKIPPED);
export const FINDING_COLUMNS: readonly Column[] = columnsOf(FINDING);

/** The value of a line in a column; null where it has no such field. */
export function cellOf(line: unknown, { path }: Column): unknown {
  let value: unknown = line;
  for (const field of path) {
    if (!isObject(value) || !Object.hasOwn(value, field)) return null;
    value = value[field];
  }
  return value ?? null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function columnsOf(shape: Shape, above: readonly string[] = []): readonly Column[] {
  return Object.entries(shape).flatMap(([field, inner]) => {
    const path = [...above, field];
    return typeof inner === 'string' ? [{ name: path.join('.'), path, type: inner }] : columnsOf(inner, path);
  });
}
