/** Facts of an XML file about itself, and its text: feeds, sitemaps, drawings, any format with text between tags. */
import { readMarkup } from '../../base/markup-events.ts';

export interface MarkupFacts {
  /** Local name of the first element, lower case: `rss`, `feed`, `urlset`, `svg`; empty where there is none. */
  readonly root: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly lang: string | null;
  /** All text between the tags, a line for each element that has any; HTML within it without its tags. */
  readonly text: string;
  /** Attributes of the first element. */
  readonly attributes: Readonly<Record<string, string>>;
}

const FIELD_LIMIT = 1000;
/** Elements whose text may be HTML: as in feeds. */
const HTML_TEXTS: ReadonlySet<string> = new Set(['description', 'encoded', 'content', 'summary', 'title', 'subtitle']);
const DESCRIPTIONS: ReadonlySet<string> = new Set(['description', 'subtitle', 'desc', 'summary', 'abstract']);
/** Text within these elements is about a part of the file, not about the file. */
const PARTS: ReadonlySet<string> = new Set([
  'item',
  'entry',
  'url',
  'sitemap',
  'image',
  'textinput',
  'author',
  'source',
]);
/** Not text for readers. */
const UNSEEN: ReadonlySet<string> = new Set(['style', 'script']);
const FEEDS: ReadonlySet<string> = new Set(['rss', 'feed', 'rdf']);
/** Elements of feeds that address programs. */
const FEED_UNSEEN: ReadonlySet<string> = new Set(
  'link guid id url loc pubdate date published updated modified issued created lastbuilddate generator docs ttl language cloud comments commentrss width height uri email webmaster managingeditor updateperiod updatefrequency updatebase'.split(
    ' ',
  ),
);

/** @param limit characters of text that are kept */
export function markupFacts(text: string, limit: number): MarkupFacts {
  const reader = new Reader(limit);
  readMarkup(text, reader, { xml: true, lowerCase: false });
  return reader.facts();
}

/** Depth of nesting up to which elements are distinguished; text in deeper ones counts as the last one's. */
const DEPTH_LIMIT = 200;

/** The text without tags and entities, white space folded: good enough for the summary of a feed's entry; it is no renderer. */
export function plainOf(html: string): string {
  if (!/[<&]/.test(html)) return folded(html);
  let text = '';
  const reader = {
    open: () => {
      text += ' ';
    },
    text: (data: string) => {
      text += data;
    },
  };
  readMarkup(html, reader, { xml: false, lowerCase: true });
  return folded(text);
}

function folded(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

class Reader {
  readonly #limit: number;
  readonly #open: string[] = [];
  readonly #lines: string[] = [];
  #length = 0;
  #own = '';
  #root = '';
  #attributes: Readonly<Record<string, string>> = {};
  #title: string | null = null;
  #description: string | null = null;
  #lang: string | null = null;
  /** Number of open elements that describe parts. */
  #parts = 0;
  #beyond = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get full(): boolean {
    return this.#length >= this.#limit;
  }

  facts(): MarkupFacts {
    const [root, attributes] = [this.#root, this.#attributes];
    const text = this.#lines.join('\n').slice(0, this.#limit);
    return { root, title: this.#title, description: this.#description, lang: this.#lang, text, attributes };
  }

  open(qualified: string, attributes: Readonly<Record<string, string>>): void {
    const name = localName(qualified);
    this.#flush();
    if (this.#open.length >= DEPTH_LIMIT) {
      this.#beyond += 1;
      return;
    }
    if (this.#root === '') {
      this.#root = name;
      this.#attributes = attributes;
      this.#lang = attributes['xml:lang'] ?? attributes['lang'] ?? null;
    }
    this.#open.push(name);
    if (PARTS.has(name)) this.#parts += 1;
  }

  text(data: string): void {
    if (this.#root !== '' && this.#open.length > 0 && this.#own.length < this.#limit) this.#own += data;
  }

  close(): void {
    this.#flush();
    if (this.#beyond > 0) {
      this.#beyond -= 1;
      return;
    }
    const name = this.#open.pop();
    if (name !== undefined && PARTS.has(name)) this.#parts -= 1;
  }

  #flush(): void {
    const own = this.#own;
    this.#own = '';
    const name = this.#open.at(-1) ?? '';
    if (this.full || UNSEEN.has(name) || own.trim() === '') return;
    const line = HTML_TEXTS.has(name) ? plainOf(own) : folded(own);
    if (line === '') return;
    if (!(FEEDS.has(this.#root) && FEED_UNSEEN.has(name))) {
      this.#lines.push(line);
      this.#length += line.length + 1;
    }
    if (this.#parts > 0) return;
    if (name === 'title') this.#title ??= line.slice(0, FIELD_LIMIT);
    else if (DESCRIPTIONS.has(name)) this.#description ??= line.slice(0, FIELD_LIMIT);
    else if (name === 'language') this.#lang ??= line.slice(0, 100);
  }
}
