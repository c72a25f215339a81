import type { Headers } from '../../model/page.ts';

/** The directives of a page and its server for crawlers. */
export interface PageRobots {
  readonly nofollow: boolean;
  readonly noindex: boolean;
  readonly noarchive: boolean;
  /** All directives that hold for this crawler, lower case, each once, in the order in which they were found. */
  readonly directives: readonly string[];
}

/** Directives with a value after a colon; so they are not taken for the name of an agent. */
const VALUED = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * The union of meta robots and X-Robots-Tag; where they disagree the stricter one holds, so `index` does not undo `noindex`.
 * @param meta directives of the page's meta elements, each by itself; one for a single agent as `agent: directive`
 * @param agent product token of this crawler: a header that names another agent is not for us
 */
export function pageRobots(meta: readonly string[], headers: Headers, agent: string): PageRobots {
  const found = new Set<string>();
  const us = agent.toLowerCase();
  // each names its agent by itself, or none
  for (const directive of meta) for (const each of directivesFor(us, directive)) found.add(each);
  for (const [name, value] of headers) {
    if (name === 'x-robots-tag') for (const each of directivesFor(us, value)) found.add(each);
  }
  const none = found.has('none');
  return {
    nofollow: none || found.has('nofollow'),
    noindex: none || found.has('noindex'),
    noarchive: found.has('noarchive') || found.has('nocache'),
    directives: [...found],
  };
}

/** A name and what follows its colon. Digits at its start are followed by a letter: the date `2026-08-25T15:00` names no agent. */
const NAMED = /^\s*((?:\d*[a-z*]|[_-])[\w*-]*)\s*:(.*)$/s;

/** `noindex, otherbot: nofollow, noarchive`: directives after the name of an agent are for that agent, up to the next name. */
function* directivesFor(agent: string, value: string): Generator<string> {
  let forUs = true;
  for (const part of value.toLowerCase().split(',')) {
    const named = NAMED.exec(part);
    const name = named?.[1];
    let directive = part;
    if (name !== undefined && !VALUED.has(name)) {
      forUs = name === agent || name === '*' || name === 'robots';
      directive = named?.[2] ?? '';
    }
    if (forUs) yield* wordsOf(directive.trim());
  }
}

/** Directives without a value. */
const WORDS = /^(?:all|none|(?:no)?(?:index|follow|archive|snippet|imageindex)|nocache|notranslate)$/;

/** `noindex nofollow`: authors forget the comma, or write a semicolon. Any other text with blanks is one directive: a date, for example. */
function wordsOf(directive: string): readonly string[] {
  const words = directive.split(/[\s;]+/).filter((word) => word !== '');
  return words.length === 0 || words.every((word) => WORDS.test(word)) ? words : [directive];
}
