/**
 * The baseline as YAML: sorted, one entry a finding, comments of people kept. Read strictly, as a finding accepted by mistake stays unseen.
 */
import { Document, isMap, isSeq, parseDocument, YAMLSeq } from 'yaml';
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import type { AcceptedFinding, Baseline } from '../core/gates/baseline.ts';
import { shownText } from './shown-text.ts';

/** Rises when an older reader would read a file wrongly. */
const BASELINE_VERSION = 1;
/** Some fifty thousand entries; a larger file is a mistake. */
const MOST_BYTES = 32 * 1024 * 1024;

const HEAD = ` Findings that \`orbweaver audit --baseline <this file>\` accepts; docs/audit-gates.md says more.
 Each needs a reason. until: YYYY-MM-DD is the last day on which it is accepted.
 An entry without an id accepts all findings of its rule at the address, in which * stands for anything.`;

const entrySchema = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/, { error: 'is no id of a finding: 16 hexadecimal digits' })
    .optional(),
  rule: z.string().min(1).max(200),
  address: z.string().min(1).max(10_000),
  message: z.string().max(10_000).optional(),
  reason: z.string().refine((text) => text.trim() !== '', { error: 'is empty' }),
  until: z.iso.date({ error: 'is no date such as 2027-01-31' }).optional(),
});

const fileSchema = z.strictObject({
  version: z.number(),
  site: z.union([z.string().min(1), z.array(z.string().min(1))]).optional(),
  accepted: z.array(z.unknown()).nullish(),
});

/**
 * Reads a baseline.
 * @param place the file as messages name it
 * @throws {CrawlError} BASELINE_INVALID that names the place, the entry and the cure
 */
export function parseBaseline(text: string, place: string): Baseline {
  const content = plainContent(text, place);
  const { version } = z.looseObject({ version: z.unknown() }).safeParse(content).data ?? {};
  if (version !== BASELINE_VERSION) throw versionError(version, place);
  const file = fileSchema.safeParse(content);
  if (!file.success) {
    const [issue] = file.error.issues;
    throw invalid(
      `${place}: ${issue?.path.join('.') ?? ''} ${shownText(issue?.message ?? '')}`,
      'Keys are version, site and accepted.',
    );
  }
  const { site = [], accepted } = file.data;
  const entries = (accepted ?? []).map((entry, index) => readEntry(entry, index, place));
  const ids = new Set<string>();
  for (const { id } of entries) {
    if (id !== null && ids.has(id))
      throw invalid(`${place}: two entries accept the finding ${id}`, 'Remove one of them.');
    if (id !== null) ids.add(id);
  }
  return { site: typeof site === 'string' ? [site] : site, accepted: entries };
}

function plainContent(text: string, place: string): unknown {
  if (text.length > MOST_BYTES)
    throw invalid(`${place}: a baseline of ${text.length} characters is not accepted`, 'Is it another file?');
  const document = parsed(text);
  const [fault] = document.errors;
  if (fault !== undefined)
    throw invalid(
      `${place}: this is no YAML: ${shownText(fault.message.split('\n', 1)[0] ?? '')}`,
      'Mend it, or take it from its history.',
    );
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw invalid(
      `${place}: ${cause instanceof Error ? shownText(cause.message) : 'its aliases cannot be resolved'}`,
      'Write it without aliases.',
    );
  }
}

function parsed(text: string): Document {
  return parseDocument(text, { uniqueKeys: true, prettyErrors: true });
}

function versionError(version: unknown, place: string): CrawlError {
  if (version === undefined)
    return invalid(`${place} is no baseline: it names no version`, 'Name a file that --update-baseline has written.');
  return invalid(
    `${place} is a baseline of version ${shownText(JSON.stringify(version) ?? '', 20)}, and this program reads version ${BASELINE_VERSION}`,
    'Use the program that wrote it, or begin anew with --update-baseline and another file.',
  );
}

function readEntry(entry: unknown, index: number, place: string): AcceptedFinding {
  const read = entrySchema.safeParse(entry);
  if (read.success) {
    const { id = null, rule, address, message = null, reason, until = null } = read.data;
    return { id, rule, address, message, reason, until };
  }
  const [issue] = read.error.issues;
  const key = issue?.path.join('.') ?? '';
  const which = `${place}: entry ${index + 1}${entryName(entry)}`;
  if (key === 'reason')
    throw invalid(`${which} has no reason`, 'Write why the finding is accepted: reason: the old shop goes in spring');
  throw invalid(
    `${which}: ${key === '' ? '' : `${key}: `}${shownText(issue?.message ?? 'it is not accepted')}`,
    'Keys are id, rule, address, message, reason and until.',
  );
}

/** The name of an entry for messages. */
function entryName(entry: unknown): string {
  const { rule, address } = z.looseObject({ rule: z.unknown(), address: z.unknown() }).safeParse(entry).data ?? {};
  const words = [rule, address].filter((word) => typeof word === 'string');
  return words.length === 0 ? '' : ` (${shownText(words.join(' '), 200)})`;
}

function invalid(what: string, cure: string): CrawlError {
  return new CrawlError('BASELINE_INVALID', `${what}\n${cure}`);
}

/**
 * The baseline as a file.
 * @param before the file as it stands, whose comments at entries that stay are kept; null for a new one
 */
export function baselineText(baseline: Baseline, before: string | null): string {
  const document = before === null ? newFile(baseline.site) : parsed(before);
  const known = nodesByKey(document);
  const entries = new YAMLSeq();
  entries.items = baseline.accepted.map((entry) => known.get(keyOf(entry)) ?? document.createNode(written(entry)));
  document.set('accepted', entries);
  return document.toString({ lineWidth: 0 });
}

function newFile(site: readonly string[]): Document {
  const document = new Document({ version: BASELINE_VERSION, site: siteValue(site), accepted: [] });
  document.commentBefore = HEAD;
  return document;
}

function siteValue(site: readonly string[]): string | readonly string[] {
  const [only = ''] = site;
  return site.length === 1 ? only : site;
}

/** The entries of a file as they stand, comments included. */
function nodesByKey(document: Document): Map<string, unknown> {
  const known = new Map<string, unknown>();
  const list: unknown = document.get('accepted');
  if (!isSeq(list)) return known;
  // the parser takes a comment before the first entry for one of the list
  const [first] = list.items;
  if (isMap(first) && list.commentBefore !== undefined) first.commentBefore = list.commentBefore;
  for (const node of list.items) {
    const entry = isMap(node) ? entrySchema.safeParse(node.toJSON()) : null;
    if (entry?.success === true) known.set(keyOf({ ...entry.data, id: entry.data.id ?? null }), node);
  }
  return known;
}

function keyOf({ id, rule, address }: Pick<AcceptedFinding, 'id' | 'rule' | 'address'>): string {
  return id ?? `${rule} ${address}`;
}

function written({ id, rule, address, message, reason, until }: AcceptedFinding): object {
  return {
    ...(id === null ? {} : { id }),
    rule,
    address,
    ...(message === null ? {} : { message: shownText(message, 300) }),
    reason,
    ...(until === null ? {} : { until }),
  };
}
