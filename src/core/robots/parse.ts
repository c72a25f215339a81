/**
 * robots.txt as RFC 9309 section 2.1 and 2.2 read it, on bytes, tolerant of real files (google/robotstxt's habits).
 * Text is kept as byte strings: one character, 0 to 255, for each octet; so lengths are octets, as the RFC counts.
 */
import { bytes, hours, milliseconds, seconds, type Bytes, type Milliseconds } from '../../base/units.ts';
import { writtenName, type CleanParam } from '../../model/url/url-parameters.ts';

/** RFC 9309 section 2.5: at least 500 KiB must be parsed; what follows is not read. */
export const ROBOTS_BYTE_LIMIT: Bytes = bytes(500 * 1024);
/** Lines are cut before this: eight times the longest URL of Internet Explorer (google/robotstxt, robots.cc). */
export const ROBOTS_LINE_LIMIT: Bytes = bytes(2083 * 8);
/** A longer Crawl-delay is a mistake; it is read as this. Politeness cuts further, by the user's maximum. */
const CRAWL_DELAY_LIMIT: Milliseconds = hours(24);

/** Names of parameters that a host may give; each is compared with each parameter of its links. */
const CLEAN_PARAM_LIMIT = 200;

/** One Allow or Disallow line. */
export interface RobotsRule {
  readonly allow: boolean;
  /** The path pattern as written, a byte string; never empty. */
  readonly pattern: string;
  /** 1 for the first line of the file. */
  readonly line: number;
}

/** A run of User-agent lines with the lines that follow until the next run. */
interface RobotsBlock {
  /**
   * Product tokens in lower case, or `*`; each once, with its place in the run. A name with digits (`agent1`) stands
   * there as written and as the token that the RFC makes of it (`agent`).
   */
  readonly agents: ReadonlyMap<string, number>;
  readonly rules: readonly RobotsRule[];
  /** Crawl-delay lines; each counts for the first `agents` agents, those that were named before it. */
  readonly delays: readonly { readonly delay: Milliseconds; readonly agents: number }[];
}

export interface RobotsRecords {
  readonly blocks: readonly RobotsBlock[];
  /** As written, without quotes, each once; a relative one is relative to the robots.txt. */
  readonly sitemaps: readonly string[];
  readonly cleanParams: readonly CleanParam[];
}

type Field = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap' | 'clean-param';

/** Spellings that occur; the typing errors are those that google/robotstxt takes. */
const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['crawldelay', 'crawl-delay'],
  ['crawl delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['clean-param', 'clean-param'],
]);

/** Reads the first 500 KiB. Never throws: lines that are not understood are passed over, and end no group (section 2.2.4). */
export function parseRecords(body: Uint8Array | string): RobotsRecords {
  const builder = new RecordBuilder();
  let number = 0;
  for (const line of linesOf(body)) {
    number += 1;
    const pair = fieldOf(line.slice(0, ROBOTS_LINE_LIMIT - 1));
    if (pair !== null) builder.add(pair.field, pair.value, number);
  }
  return builder.records();
}

/** The octets of a text, each as one character. */
export function byteString(octets: Uint8Array): string {
  let text = '';
  for (let start = 0; start < octets.length; start += 8192) {
    text += String.fromCharCode(...octets.subarray(start, start + 8192));
  }
  return text;
}

/** A byte string as people read it: decoded as UTF-8. */
export function readable(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

function linesOf(body: Uint8Array | string): readonly string[] {
  const octets =
    typeof body === 'string' ? new TextEncoder().encode(body.slice(0, ROBOTS_BYTE_LIMIT + 1)) : utf8Of(body);
  const text = withoutByteOrderMark(byteString(octets.subarray(0, ROBOTS_BYTE_LIMIT)));
  const lines = text.split(/\r\n|\r|\n/);
  // A line cut by the limit has another meaning: `Disallow: /x` would become `Disallow: /`.
  if (octets.length > ROBOTS_BYTE_LIMIT) lines.pop();
  return lines;
}

/** The RFC asks for UTF-8. A file saved as UTF-16 begins with its byte order mark, and would otherwise forbid nothing. */
function utf8Of(body: Uint8Array): Uint8Array {
  const mark = (body[0] ?? 0) * 256 + (body[1] ?? 0);
  if (mark !== 0xfffe && mark !== 0xfeff) return body;
  const text = new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(
    body.subarray(0, 2 * ROBOTS_BYTE_LIMIT),
  );
  return new TextEncoder().encode(text);
}

/** Servers send parts of it, too. */
function withoutByteOrderMark(text: string): string {
  const mark = '\xEF\xBB\xBF';
  let skipped = 0;
  while (skipped < mark.length && text[skipped] === mark[skipped]) skipped += 1;
  return text.slice(skipped);
}

/** Some files were written with an HTML editor. */
const LINE_BREAK_TAG = /<br ?\/?>$/i;

function fieldOf(line: string): { readonly field: Field; readonly value: string } | null {
  const hash = line.indexOf('#');
  const text = trim(trim(hash === -1 ? line : line.slice(0, hash)).replace(LINE_BREAK_TAG, ''));
  if (text === '') return null;
  const colon = text.indexOf(':');
  if (colon !== -1) {
    const key = trim(text.slice(0, colon)).toLowerCase();
    const field = FIELDS.get(key) ?? extendedField(key);
    return field === undefined ? null : { field, value: trim(text.slice(colon + 1)) };
  }
  // A forgotten colon: `disallow /x`. Only where there are exactly two words, else it is prose.
  const [key = '', value = '', ...more] = text.split(/[ \t]+/, 3);
  const field = FIELDS.get(key.toLowerCase());
  return field === undefined || value === '' || more.length > 0 ? null : { field, value };
}

/** Names that google/robotstxt takes with any ending: `Sitemaps:`, `Disallowed:`. */
const EXTENDED: readonly (readonly [string, Field])[] = [...FIELDS].filter(
  ([, field]) => field !== 'crawl-delay' && field !== 'clean-param',
);

/** The field whose name a key of one word begins with; several words are prose: `Allow us to say:`. */
function extendedField(key: string): Field | undefined {
  return /^[\w-]{1,40}$/.test(key) ? EXTENDED.find(([name]) => key.startsWith(name))?.[1] : undefined;
}

/** String.prototype.trim would take U+00A0 and U+FEFF, which are parts of other characters in a byte string. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

class RecordBuilder {
  readonly #blocks: RobotsBlock[] = [];
  readonly #sitemaps = new Set<string>();
  readonly #cleanParams: CleanParam[] = [];
  /** Number of names in them. */
  #cleaned = 0;
  #agents = new Map<string, number>();
  #rules: RobotsRule[] = [];
  #delays: { delay: Milliseconds; agents: number }[] = [];
  /** User-agent lines of the block so far. */
  #named = 0;
  /** A rule was seen: the next User-agent line begins another block. */
  #closed = true;

  add(field: Field, value: string, line: number): void {
    switch (field) {
      case 'user-agent':
        return this.#addAgent(value);
      case 'allow':
      case 'disallow':
        return this.#addRule({ allow: field === 'allow', pattern: value, line });
      case 'crawl-delay': {
        const delay = crawlDelayOf(value);
        if (delay !== null) this.#delays.push({ delay, agents: this.#named });
        return undefined;
      }
      case 'sitemap':
        for (const address of sitemapsOf(readable(value))) this.#sitemaps.add(address);
        return undefined;
      case 'clean-param':
        return this.#addCleanParam(value);
    }
  }

  records(): RobotsRecords {
    return { blocks: this.#blocks, sitemaps: [...this.#sitemaps], cleanParams: this.#cleanParams };
  }

  #addAgent(value: string): void {
    if (this.#closed) {
      this.#agents = new Map();
      this.#rules = [];
      this.#delays = [];
      this.#named = 0;
      this.#blocks.push({ agents: this.#agents, rules: this.#rules, delays: this.#delays });
      this.#closed = false;
    }
    const place = this.#named;
    this.#named += 1;
    for (const agent of agentNamesOf(value)) if (!this.#agents.has(agent)) this.#agents.set(agent, place);
  }

  #addRule(rule: RobotsRule): void {
    if (this.#blocks.length === 0) return; // rules before any User-agent line belong to no agent
    this.#closed = true;
    if (rule.pattern !== '') this.#rules.push(rule);
  }

  #addCleanParam(value: string): void {
    const [written = '', path = '/'] = value.split(/\s+/, 2);
    const names = written.split('&').filter((name) => name !== '');
    if (names.length === 0 || this.#cleaned + names.length > CLEAN_PARAM_LIMIT) return;
    this.#cleaned += names.length;
    this.#cleanParams.push({ names: names.map((name) => writtenName(readable(name))), path });
  }
}

/** The addresses of a Sitemap line. Some files have them in quotes or angle brackets, or several full ones in one line. */
function sitemapsOf(value: string): readonly string[] {
  const words = value.split(/[\s,]+/).map(unquoted);
  const addresses = words.every((word) => word === '' || /^https?:\/\//i.test(word)) ? words : [unquoted(value)];
  return addresses.filter((address) => address !== '');
}

function unquoted(text: string): string {
  const isQuoted = text.length > 1 && ['""', "''", '<>'].includes(text.charAt(0) + text.slice(-1));
  return isQuoted ? text.slice(1, -1).trim() : text;
}

/** `*`, or the product token and, where it goes on with digits, the whole word. Of several words the first counts. */
function agentNamesOf(value: string): readonly string[] {
  if (/^\*(?:\s|$)/.test(value)) return ['*'];
  const word = (/^[\w-]*/.exec(value)?.[0] ?? '').toLowerCase();
  return [...new Set([productTokenOf(value), word])].filter((name) => name !== '');
}

/** The product token at the beginning of a text, in lower case (RFC 9309 section 2.2.1: letters, `_` and `-`). */
export function productTokenOf(text: string): string {
  return (/^[A-Za-z_-]*/.exec(text)?.[0] ?? '').toLowerCase();
}

/** Seconds, with a fraction. Nonsense is no delay at all; an absurd one is cut. */
function crawlDelayOf(value: string): Milliseconds | null {
  const number = /^\d{1,15}(?:\.\d{1,9})?|^\.\d{1,9}/.exec(value);
  if (number === null) return null;
  return milliseconds(Math.min(Math.round(seconds(Number(number[0]))), CRAWL_DELAY_LIMIT));
}
