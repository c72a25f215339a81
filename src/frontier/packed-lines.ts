/**
 * Lines of links.jsonl in transit through Redis. A documentation page has thousands of nearly equal ones, and each would be sent, stored,
 * logged and read back as 250 bytes of JSON. So lines that lead to the page's own host are packed; others are unchanged:
 *
 *     ={"from":"https://a.test/guide","to":"https://a.test    common beginning of all packed lines
 *     +","kind":"anchor",…,"text":"<tab>","rel":[],"new":     a shape, numbered from 0 in order of appearance
 *     0<tab>/next<tab>"next<tab>Next                          number of the shape, path, reference if it differs, words
 *     {"from":…}                                              an unchanged line
 *
 * All parts are JSON text already, which contains no raw tabs or line feeds.
 */
import { ownText } from '../base/remembered.ts';
import type { LinkRecord } from '../model/record.ts';
import type { CommittedLink } from '../model/visit-commit.ts';
import { knownFactsOf, type KnownUrls } from './url-groups.ts';

/** End of the line of a link that made nothing known; it is replaced in place by the other ending. */
export const NOT_NEW = 'false}';
export const NEW = 'true}';
const LAST_FIELD = ',"new":';

const BEGINNING = '=';
const SHAPE = '+';
const TAB = '\t';
/** Marks a reference that differs from the path. */
const QUOTE = '"';

/** Most characters of a line that is remembered; longer ones are made each time. */
const KEPT_LENGTH = 1000;

type EdgeRecord = Omit<LinkRecord, 'new'>;
type Edge = Pick<CommittedLink, 'record' | 'isNew'>;

/** A packed line without its shape's number, and its source: pages of a site repeat the same link texts for a URL. */
export interface PackedLine {
  readonly shape: string;
  readonly rest: string;
  /** The record without `from`, `to` and `frame`, in strings that keep no document in memory. */
  readonly of: Pick<EdgeRecord, 'href' | 'kind' | 'confidence' | 'context' | 'stage' | 'text' | 'rel'>;
}

/**
 * A line for each link, each preceded by a line feed.
 * @param known facts computed of URLs before
 */
export function packedLines(links: readonly Edge[], known: KnownUrls): string {
  const first = links[0]?.record.from ?? '';
  const host = /^https?:\/\/[\w.:-]+(?=\/)/.exec(first)?.[0] ?? null;
  const shapes = new Map<string, number>();
  const lines: string[] = [];
  for (const { record, isNew } of links) {
    const packed =
      host === null || isNew === true || record.from !== first || record.frame !== null || !isAt(host, record.to)
        ? null
        : lineOf(record, host, known);
    if (packed === null) {
      lines.push(`${JSON.stringify(record).slice(0, -1)}${LAST_FIELD}${isNew === true ? NEW : NOT_NEW}`);
      continue;
    }
    if (shapes.size === 0) lines.push(`${BEGINNING}{"from":${JSON.stringify(first)},"to":"${host}`);
    let number = shapes.get(packed.shape);
    if (number === undefined) {
      shapes.set(packed.shape, (number = shapes.size));
      lines.push(SHAPE + packed.shape);
    }
    lines.push(number + packed.rest);
  }
  return lines.length === 0 ? '' : `\n${lines.join('\n')}`;
}

function isAt(host: string, url: string): boolean {
  return url.startsWith(host) && url[host.length] === '/';
}

function lineOf(record: EdgeRecord, host: string, known: KnownUrls): PackedLine {
  const facts = knownFactsOf(record.to, known);
  const before = facts.line;
  if (before !== null && isLike(before.of, record)) return before;
  const made = pack(record, host);
  if (record.href.length + made.shape.length + made.rest.length <= KEPT_LENGTH) facts.line = made;
  return made;
}

function isLike(one: PackedLine['of'], other: EdgeRecord): boolean {
  return (
    one.href === other.href &&
    one.text === other.text &&
    one.kind === other.kind &&
    one.confidence === other.confidence &&
    one.context === other.context &&
    one.stage === other.stage &&
    one.rel.length === other.rel.length &&
    one.rel.every((token, index) => token === other.rel[index])
  );
}

function pack({ to, href, kind, confidence, context, stage, text, rel }: EdgeRecord, host: string): PackedLine {
  const place = inside(to.slice(host.length));
  const reference = inside(href);
  const words = inside(text);
  const way = JSON.stringify({ kind, confidence, context, stage, frame: null }).slice(1, -1);
  const tokens = JSON.stringify(rel);
  return {
    shape: `",${way},"text":"${TAB}","rel":${tokens}${LAST_FIELD}`,
    rest: `${TAB}${place}${TAB}${reference === place ? '' : QUOTE + reference}${TAB}${words}`,
    of: {
      href: ownText(href),
      kind,
      confidence,
      context: ownText(context),
      stage,
      text: ownText(text),
      rel: rel.map(ownText),
    },
  };
}

/** A text as JSON, without its quotes. */
function inside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * The lines in the form of links.jsonl.
 * @param lines of {@link packedLines}, or unpacked lines
 * @throws {TypeError} where a line names an unknown shape
 */
export function unpackedLines(lines: readonly string[]): string[] {
  const shapes: (readonly [string, string])[] = [];
  const unpacked: string[] = [];
  let beginning = '';
  for (const line of lines) {
    if (line.startsWith('{')) unpacked.push(line);
    else if (line.startsWith(BEGINNING)) beginning = line.slice(1);
    else if (line.startsWith(SHAPE)) {
      const [middle = '', end = ''] = line.slice(1).split(TAB);
      shapes.push([middle, end + NOT_NEW]);
    } else unpacked.push(unpackedLine(line, beginning, shapes));
  }
  return unpacked;
}

function unpackedLine(line: string, beginning: string, shapes: readonly (readonly [string, string])[]): string {
  const place = line.indexOf(TAB) + 1;
  const href = line.indexOf(TAB, place) + 1;
  const words = line.indexOf(TAB, href) + 1;
  const shape = shapes[Number(line.slice(0, place - 1))];
  if (shape === undefined || href === 0 || words === 0)
    throw new TypeError(`not a line of a link: ${line.slice(0, 256)}`);
  const where = line.slice(place, href - 1);
  const reference = words - href === 1 ? where : line.slice(href + 1, words - 1);
  return `${beginning}${where}","href":"${reference}${shape[0]}${line.slice(words)}${shape[1]}`;
}
