/** What a document's links come to: each once, all counted, and ways to pages before parts where not all can be kept. */
import { leadsToPage } from '../../src/core/links/page-link.ts';
import type { LinkList, RawLink } from '../../src/model/page-facts.ts';

/** Guesses kept of one document. */
const GUESSES = 2000;
const URL_LENGTH = 8192;

interface Kept {
  readonly at: number;
  link: RawLink;
}

export class LinkKeeper {
  readonly #limit: number;
  readonly #resolve: (href: string) => string | null;
  readonly #known = new Map<string, Kept>();
  readonly #pages: Kept[] = [];
  readonly #parts: Kept[] = [];
  readonly #guesses: Kept[] = [];
  #total = 0;

  /** @param resolve of the document, see resolve-links.ts */
  constructor(limit: number, resolve: (href: string) => string | null) {
    this.#limit = limit;
    this.#resolve = resolve;
  }

  /** Are there as many ways to pages as can be kept? What is added then is counted only. */
  get full(): boolean {
    return this.#pages.length >= this.#limit;
  }

  add(link: RawLink, prefix = ''): void {
    this.#total += 1;
    const list = this.#listOf(link);
    if (list.length >= (list === this.#guesses ? GUESSES : this.#limit)) return;
    const context = prefix === '' ? link.context : `${prefix}${link.context}`.slice(0, 100);
    const key = `${link.kind}\n${context}\n${link.rel}\n${link.href}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      // a picture and the words below it lead to one place: the words say more
      if (known.link.text === '' && link.text !== '') known.link = { ...known.link, text: link.text };
      return;
    }
    const resolved = link.resolved === undefined ? this.#resolve(link.href) : null;
    const whole =
      resolved === null ? { ...link, context } : { ...link, context, resolved: resolved.slice(0, URL_LENGTH) };
    const kept = { at: this.#total, link: whole };
    this.#known.set(key, kept);
    list.push(kept);
  }

  list(): LinkList {
    const pages = this.#pages;
    const parts = this.#parts.slice(0, Math.max(0, this.#limit - pages.length));
    const guesses = this.#guesses.slice(0, Math.max(0, this.#limit - pages.length - parts.length));
    const kept = [...pages, ...parts, ...guesses].sort((one, other) => one.at - other.at).map(({ link }) => link);
    return { kept, total: this.#total };
  }

  #listOf(link: RawLink): Kept[] {
    if (link.confidence === 'low') return this.#guesses;
    const { kind, context } = link;
    const rel = kind === 'link-element' ? tokens(link.rel) : [];
    return leadsToPage({ kind, rel, context }) ? this.#pages : this.#parts;
  }
}

function tokens(rel: string): string[] {
  return rel.split(/\s+/).filter((token) => token !== '');
}
