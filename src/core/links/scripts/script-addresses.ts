/** Finds the texts of a script that are addresses, and their uses. */
import { beginsAsReference, isNoReference } from '../texts/reference-text.ts';
import type { ScriptText } from '../texts/found-texts.ts';
import { NestedRoutes } from './nested-routes.ts';
import type { OpenedPage } from './route-lists.ts';
import { mayHoldMarkupLinks, scriptMarkupLinks } from './script-markup.ts';
import { readScript } from './script-texts.ts';
import { purposeOf } from '../texts/text-use.ts';
import { isAssetName, isUnwiseLink, looksLikePageFile, looksLikeRoute, looksLikeUrl } from '../texts/url-text.ts';
import { mayHoldPaths, writtenPaths } from '../texts/written-paths.ts';

export interface ScriptAddress {
  readonly href: string;
  /**
   * - `goes`: the browser is sent there.
   * - `leads`: a router may go there, or it is fetched.
   * - `stands`: no use of it is known.
   * - `written`: in a comment.
   */
  readonly use: 'goes' | 'leads' | 'stands' | 'written';
  /** It changes something, by its words or by its use: it is not to be tried. */
  readonly acts: boolean;
  /** A path that a router knows, from the root of the application; others are relative to the document. */
  readonly isRoute: boolean;
}

export interface ScriptAddresses {
  /** In the order of their uses. */
  readonly addresses: readonly ScriptAddress[];
  /** The path that the script gives its router as the application's base. */
  readonly routerBase: string | null;
}

/** Addresses of one use kept of one script; one that holds more holds data. */
const LIMIT = 500;
const COMMENT_LIMIT = 50;
/** Most texts remembered with whether they read like addresses. */
const SHAPES = 2000;
/** Words before the name of a module, of a thing of the DOM, or before a piece of a text: it is no address. */
const MODULE_WORDS: ReadonlySet<string> = new Set(
  'from import require importScripts define resolve concat createElementNS setAttributeNS hasAttributeNS getAttributeNS'.split(
    ' ',
  ),
);
/** Functions whose arguments are compared, searched for or cut off. */
const TEXT_WORDS: ReadonlySet<string> = new Set(
  'startsWith endsWith includes indexOf lastIndexOf split replace replaceAll match test RegExp Error TypeError RangeError warn error log debug invariant warning'.split(
    ' ',
  ),
);
/** A file behind the plug-in of a module loader: `text!./row.html`, `dojo/text!templates/row.html`. */
const PLUGIN = /^\w[\w./-]*!/;
/** Texts that are addresses only where a location is set to them: `next`, `list?page=2`. */
const BARE = /^[\w-]+(?:\/[\w.-]+)*\/?(?:[?#][^\s"'<>{}|\\^`]*)?$/;
/** Functions that take an address as the document has it; an address for others may be a router's. */
const ASKING = /(?:^|\.)(?:fetch|open|assign|get|getJSON|load|ajax|axios|request|prefetch|preload|sendBeacon|href)$/i;

/**
 * String literals that parse as URLs or read like routes of the site, and those that are joined from constants.
 * @param isInline it stands in its document; markup in it has been written into the page, or is none
 * @param page in which it was loaded, where that may show where its routes begin
 */
export function scriptAddresses(source: string, isInline = false, page: OpenedPage | null = null): ScriptAddresses {
  const collector = new Collector(isInline, page);
  readScript(source, collector);
  return collector.result();
}

class Collector {
  readonly page: OpenedPage | null;
  readonly #found: Readonly<Record<ScriptAddress['use'], Map<string, ScriptAddress>>> = {
    goes: new Map(),
    leads: new Map(),
    stands: new Map(),
    written: new Map(),
  };
  readonly #shapes = new Map<string, boolean>();
  readonly #isInline: boolean;
  #routerBase: string | null = null;
  readonly #nested = new NestedRoutes<ScriptAddress>();

  constructor(isInline: boolean, page: OpenedPage | null) {
    this.#isInline = isInline;
    this.page = page;
  }

  get full(): boolean {
    return this.#found.goes.size >= LIMIT || this.#found.leads.size >= LIMIT;
  }

  wants(value: string, isAssigned: boolean): boolean {
    if (!isAssigned && value !== '/' && (value.length <= 2 || !/[/.]/.test(value))) return false;
    return !/[\s<>{}|\\^`"'$*]/.test(value) || (!this.#isInline && mayHoldMarkupLinks(value));
  }

  text(text: ScriptText): void {
    if (text.value.includes('<')) {
      this.#markup(text);
      return;
    }
    const base = this.#routerBase === null ? routerBaseOf(text) : null;
    if (base !== null) {
      this.#routerBase = base;
      return;
    }
    if (text.nested !== '') this.#nested.note(text.value, text.nested);
    const purpose = purposeOf(text);
    if (!(purpose === 'goes' ? isDestination(text) : isAddress(text, (value) => this.#reads(value)))) return;
    const use = purpose === 'goes' || purpose === 'leads' ? purpose : 'stands';
    const href = text.value.trim();
    const isRoute = use !== 'goes' && !isAsked(text);
    const address: ScriptAddress = { href, use, acts: purpose === 'sends' || isUnwiseLink(href), isRoute };
    if (text.nested === '' || !this.#nested.keep(text.nested, address)) this.#add(address);
  }

  comment(text: string): void {
    if (this.#found.written.size >= COMMENT_LIMIT || !mayHoldPaths(text)) return;
    for (const href of writtenPaths(text, COMMENT_LIMIT - this.#found.written.size)) {
      // a relative path is mostly a module's
      if (href.startsWith('.') && !looksLikePageFile(href)) continue;
      this.#add({ href, use: 'written', acts: isUnwiseLink(href), isRoute: false });
    }
  }

  result(): ScriptAddresses {
    this.#addNested();
    const { goes, leads, stands, written } = this.#found;
    const all = new Map<string, ScriptAddress>();
    for (const list of [goes, leads, stands, written]) {
      for (const [href, address] of list) {
        const better = all.get(href);
        if (better === undefined) all.set(href, address);
        else if (address.acts) all.set(href, { ...better, acts: true });
      }
    }
    return { addresses: [...all.values()], routerBase: this.#routerBase };
  }

  #addNested(): void {
    const { goes, leads, stands } = this.#found;
    const isNamed = (path: string): boolean => goes.has(path) || leads.has(path) || stands.has(path);
    // decided before the first of them is added, for they would name each other
    for (const { route, joined } of [...this.#nested.decided(isNamed)]) {
      const href = joined ?? route.href;
      if (joined === null || this.#reads(href)) this.#add({ ...route, href, acts: route.acts || isUnwiseLink(href) });
    }
  }

  /** The links of markup: as a browser resolves them, and whole even where the text is a piece. */
  #markup({ value, before, word }: ScriptText): void {
    if (before === '(' && TEXT_WORDS.has(word)) return;
    for (const { href, isSent } of scriptMarkupLinks(value)) {
      if (href.length < 3 || isAssetName(href) || !this.#reads(href)) continue;
      this.#add({ href, use: 'stands', acts: isSent || isUnwiseLink(href), isRoute: false });
    }
  }

  /** Does it read like an address? One text may stand in a script ten thousand times. */
  #reads(value: string): boolean {
    const known = this.#shapes.get(value);
    if (known !== undefined) return known;
    const reads = (looksLikeUrl(value) && !STAND_IN.test(value)) || looksLikeRoute(value) || looksLikePageFile(value);
    if (this.#shapes.size < SHAPES) this.#shapes.set(value, reads);
    return reads;
  }

  #add(address: ScriptAddress): void {
    const list = this.#found[address.use];
    const known = list.get(address.href);
    if (known === undefined ? list.size < LIMIT : address.acts) list.set(address.href, address);
  }
}

function isDestination(text: ScriptText): boolean {
  const { value } = text;
  const isRoute = /^#!?\//.test(value);
  if (isPiece(text) || (isNoReference(value) && !isRoute) || isAssetName(value) || /^(?:mailto|tel|sms):/i.test(value))
    return false;
  return beginsAsReference(value) || looksLikePageFile(value) || (text.how === 'assigned' && BARE.test(value));
}

function isAddress(text: ScriptText, reads: (value: string) => boolean): boolean {
  const { value, key, before, word } = text;
  if (value.length < 3 || isPiece(text) || isReplacement(text)) return false;
  // a pointer of a JSON schema into itself, which reads like a route
  if (key === '$ref' && value.startsWith('#')) return false;
  // a pointer into a JSON document (JSON:API, `source`)
  if (key === 'pointer') return false;
  if (MODULE_WORDS.has(word) || (before === '(' && TEXT_WORDS.has(word))) return false;
  if (isAssetName(value) || PLUGIN.test(value)) return false;
  return reads(value);
}

/** Is it a piece of an address, with something before or after it? */
function isPiece({ before, word, after, isJoined }: ScriptText): boolean {
  if (isJoined) return false;
  if (after.startsWith('+') || /^\.(?:concat|replace|split|length)\b/.test(after)) return true;
  return before === '+' && word !== 'origin' && word !== 'host';
}

/** What `replace` puts into another text. A router's `replace` may show its second argument as the address (Next.js, `as`). */
function isReplacement({ how, target, argument }: ScriptText): boolean {
  return (
    how === 'given' &&
    argument > 0 &&
    /\.replace(?:All)?$/.test(target) &&
    !/(?:router|history)\.replace$/i.test(target)
  );
}

function isAsked({ how, target, word, before }: ScriptText): boolean {
  if (how === 'given') return ASKING.test(target);
  return (how === 'assigned' || before === '=') && (word === 'href' || word === 'location');
}

const BASE_KEY = /^(?:basename|routerBase|rootURL|base[Pp]ath)$/;
/** Routers and libraries resolve paths against it: `new URL(to, 'http://localhost')`. */
const STAND_IN = /^https?:\/\/localhost\/?$/i;
const HISTORY = /(?:^|\.)create(?:Web|WebHash|Browser|Memory)?(?:Hash)?History$/;

/** The base that a script gives to its router: `createWebHistory('/app/')`, `{ basename: '/app' }`, `new VueRouter({ base: '/app/' })`. */
function routerBaseOf({ value, key, how, target, argument, holder }: ScriptText): string | null {
  if (how === null && key === '') return null;
  if (value.length > 200 || !/^\/(?:[\w.~%-]+\/)*[\w.~%-]*$/.test(value)) return null;
  if (BASE_KEY.test(key)) return value;
  if (how !== 'given') return null;
  if (key === 'base') return /router|history/i.test(target) ? value : null;
  if (key !== '' || argument !== 0) return null;
  // in a minified script the function that makes the history has lost its name
  return HISTORY.test(target) || holder === 'history' ? value : null;
}
