import type { Headers } from '../../model/page.ts';

/** The directives of a page and its server for crawlers. */
export interface PageRobots {
  readonly nofollow: boolean;
  readonly noindex: boolean;
  readonly noarchive: boolean;
  /** All directives that hold for this crawler, lower case, each once, in the order in which they were found. */
  readonly directives: readonly string[];
  /** Those for other robots, each behind its name: `googlebot: noindex`. */
  readonly forOthers: readonly string[];
}

/** Directives with a value after a colon; so they are not taken for the name of an agent. */
const VALUED = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * The union of meta robots and X-Robots-Tag; where they disagree the stricter one holds, so `index` does not undo `noindex`.
 * @param meta directives of the page's meta elements, each by itself; one for a single agent as `agent: directive`
 * @param agent product token of this crawler: a header that names another agent is not for us
 */
export function pageRobots(meta: readonly string[], headers: Headers, agent: string): PageRobots {
  const [found, forOthers] = [new Set<string>(), new Set<string>()];
  const us = agent.toLowerCase();
  const add = (value: string): void => {
    for (const [name, word] of directivesIn(value)) {
      if (name === null || name === us || name === '*' || name === 'robots') found.add(word);
      else forOthers.add(`${name}: ${word}`);
    }
  };
  for (const directive of meta) add(directive); // each names its agent by itself, or none
  for (const [name, value] of headers) if (name === 'x-robots-tag') add(value);
  const none = found.has('none');
  return {
    nofollow: none || found.has('nofollow'),
    noindex: none || found.has('noindex'),
    noarchive: found.has('noarchive') || found.has('nocache'),
    directives: [...found],
    forOthers: [...forOthers],
  };
}

/** A name and what follows its colon. Digits at its start are followed by a letter: the date `2026-08-25T15:00` names no agent. */
const NAMED = /^\s*((?:\d*[a-z*]|[_-])[\w*-]*)\s*:(.*)$/s;

/** `noindex, otherbot: nofollow, noarchive`: directives after the name of an agent are for that agent, up to the next name. */
function* directivesIn(value: string): Generator<readonly [agent: string | null, directive: string]> {
  let agent: string | null = null;
  for (const part of value.toLowerCase().split(',')) {
    const named = NAMED.exec(part);
    const name = named?.[1];
    let directive = part;
    if (name !== undefined && !VALUED.has(name)) {
      agent = name;
      directive = named?.[2] ?? '';
    }
    for (const word of wordsOf(directive.trim())) yield [agent, word];
  }
}

/** Directives without a value. */
const WORDS = /^(?:all|none|(?:no)?(?:index|follow|archive|snippet|imageindex)|nocache|notranslate)$/;

/** `noindex nofollow`: authors forget the comma, or write a semicolon. Any other text with blanks is one directive: a date, for example. */
function wordsOf(directive: string): readonly string[] {
  const words = directive.split(/[\s;]+/).filter((word) => word !== '');
  return words.length === 0 || words.every((word) => WORDS.test(word)) ? words : [directive];
}
