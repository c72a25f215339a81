import { parsedUrl } from '../../base/parsed-url.ts';
import type { Milliseconds } from '../../base/units.ts';
import type { CleanParam } from '../../model/url/url-parameters.ts';
import type { NamedPath } from '../../model/robots-names.ts';
import { compileRules, decidingRule, type RuleSet } from './match.ts';
import { namedPaths } from './named-paths.ts';
import { parseRecords, productTokenOf, readable, type RobotsRecords } from './parse.ts';

export interface RobotsVerdict {
  readonly allowed: boolean;
  /** The rule that decided, for people: `Disallow: /private (line 3)`, `no rule matches`, `robots.txt itself`. */
  readonly rule: string;
}

/** The rules of a host's robots.txt. `userAgent` may be a product token (`Orbweaver`) or a whole User-Agent. */
export interface RobotsFile {
  allows(userAgent: string, url: string): boolean;
  /** The time asked for between two visits, in milliseconds, at most a day; null where none is asked for. */
  crawlDelay(userAgent: string): Milliseconds | null;
  /** As written, each once; a relative one is relative to the robots.txt. */
  readonly sitemaps: readonly string[];
  readonly cleanParams: readonly CleanParam[];
  /** Paths that rules name, of whatever agent, each once; wildcard patterns are none. At most 1,000. */
  readonly paths: readonly NamedPath[];
  verdict(userAgent: string, url: string): RobotsVerdict;
}

/**
 * Reads a robots.txt by RFC 9309. Never throws; lines that are not understood are passed over.
 * @param body as received, decompressed; only the first 500 KiB count
 * @example parseRobots('User-agent: *\nDisallow: /private').allows('Orbweaver', 'https://example.org/private/x') // false
 */
export function parseRobots(body: Uint8Array | string): RobotsFile {
  return new ParsedRobots(parseRecords(body));
}

const ITSELF: RobotsVerdict = { allowed: true, rule: 'robots.txt itself' };
const NO_RULE: RobotsVerdict = { allowed: true, rule: 'no rule matches' };
const TOO_COSTLY: RobotsVerdict = { allowed: false, rule: 'the wildcards of robots.txt take too long to compare' };

class ParsedRobots implements RobotsFile {
  readonly sitemaps: readonly string[];
  readonly cleanParams: readonly CleanParam[];
  readonly #records: RobotsRecords;
  readonly #known: ReadonlySet<string>;
  /** Asked for once a host. */
  #paths: readonly NamedPath[] | null = null;
  /** Rules by the tokens that were matched; a file is asked for one or two agents, thousands of times. */
  readonly #compiled = new Map<string, RuleSet>();

  constructor(records: RobotsRecords) {
    this.#records = records;
    this.sitemaps = records.sitemaps;
    this.cleanParams = records.cleanParams;
    this.#known = new Set(records.blocks.flatMap((block) => [...block.agents.keys()]));
  }

  get paths(): readonly NamedPath[] {
    this.#paths ??= namedPaths(this.#records);
    return this.#paths;
  }

  allows(userAgent: string, url: string): boolean {
    return this.verdict(userAgent, url).allowed;
  }

  verdict(userAgent: string, url: string): RobotsVerdict {
    const path = pathAndQueryOf(url);
    if (isRobotsItself(path)) return ITSELF;
    const match = decidingRule(this.#rulesFor(this.#agentsFor(userAgent)), path, markedPathOf(url, path));
    if (match.kind === 'no-match') return NO_RULE;
    if (match.kind === 'too-costly') return TOO_COSTLY;
    const { allow, pattern, line } = match.rule;
    const words = readable(pattern.slice(0, 256));
    return { allowed: allow, rule: `${allow ? 'Allow' : 'Disallow'}: ${words} (line ${line})` };
  }

  crawlDelay(userAgent: string): Milliseconds | null {
    const agents = this.#agentsFor(userAgent);
    for (const block of this.#records.blocks) {
      for (const agent of agents) {
        const place = block.agents.get(agent);
        if (place === undefined) continue;
        const found = block.delays.find((each) => place < each.agents);
        if (found !== undefined) return found.delay;
      }
    }
    return null;
  }

  /** The names of the groups that hold for an agent; those of the same name are merged (section 2.2.1). */
  #agentsFor(userAgent: string): readonly string[] {
    for (const tokens of tokensOf(userAgent)) {
      const named = tokens.filter((token) => this.#known.has(token));
      if (named.length > 0) return named;
    }
    return ['*'];
  }

  #rulesFor(agents: readonly string[]): RuleSet {
    const key = agents.join(' ');
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const blocks = this.#records.blocks.filter((block) => agents.some((agent) => block.agents.has(agent)));
    const compiled = compileRules(blocks.flatMap((block) => block.rules));
    this.#compiled.set(key, compiled);
    return compiled;
  }
}

/** Words of a browser's User-Agent that name no crawler; groups of these names count only where no other does. */
const COMMON_TOKENS = new Set(['mozilla', 'compatible', 'applewebkit', 'khtml', 'like', 'gecko', 'chrome', 'safari']);

/**
 * Product tokens to look for, in lower case; the better ones first. A version or a comment marks a whole User-Agent; bare words
 * (`Foo Bar`) are neither that nor a token, and match nothing but `*`.
 */
function tokensOf(userAgent: string): readonly (readonly string[])[] {
  const token = productTokenOf(userAgent);
  if (token.length === userAgent.length) return [[token]];
  if (/^[\w-]+$/.test(userAgent)) return [[userAgent.toLowerCase()]];
  if (!/[/(\d]/.test(userAgent)) return [];
  const names = userAgent
    .slice(0, 2048)
    .replaceAll(/\S*:\/\/\S*/g, ' ')
    .toLowerCase()
    .match(/[a-z0-9_-]+/g);
  const all = [...new Set(names)];
  return [all.filter((name) => !COMMON_TOKENS.has(name)), all];
}

function isRobotsItself(path: string): boolean {
  return path === '/robots.txt';
}

function pathAndQueryOf(url: string): string {
  const parsed = parsedUrl(url);
  return parsed === null ? '/' : parsed.pathname + parsed.search;
}

/** The path with a mark for each character that should have been escaped: as it is written it matches no Allow. */
function markedPathOf(url: string, path: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start === -1 || !/[^\0-\x7F]/.test(url)) return path;
  return pathAndQueryOf(url.slice(0, start) + url.slice(start).replaceAll(/[^\0-\x7F]/g, '\x01'));
}
