import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROBOTS_BYTE_LIMIT, ROBOTS_LINE_LIMIT } from '../../../../src/core/robots/parse.ts';
import { parseRobots, type RobotsFile } from '../../../../src/core/robots/robots-file.ts';
import { processorTime } from '../../../support/processor-time.ts';

/** Its types declare a default export, but the module is the function itself. */
const robotsParser: (url: string, text: string) => { isAllowed(url: string, agent: string): boolean | undefined } =
  createRequire(import.meta.url)('robots-parser');

interface Case {
  readonly why: string;
  readonly robots: string;
  readonly ask: readonly (readonly [agent: string, path: string, allowed: boolean])[];
}
const table = new URL('../../../../fixtures/tables/robots.json', import.meta.url);
const cases: readonly Case[] = JSON.parse(readFileSync(table, 'utf8'));
const at = (path: string): string => `https://example.org${path}`;

interface HostileCase {
  readonly why: string;
  /** Texts, and the number of repetitions of each. */
  readonly parts: readonly (readonly [text: string, times: number])[];
  readonly encoding?: 'utf16le' | 'latin1';
  /** The text for `@`: a beginning, then a text with its number of repetitions. */
  readonly path?: readonly [start: string, text: string, times: number];
  readonly ask: Case['ask'];
}
const hostile: readonly HostileCase[] = tableOf('robots-hostile');

interface Difference {
  readonly robots: string;
  readonly agent: string;
  readonly path: string;
  readonly ours: boolean;
  readonly clause: string;
}
const differences: readonly Difference[] = tableOf('robots-differences');

function tableOf<Row>(name: string): readonly Row[] {
  return JSON.parse(readFileSync(new URL(`../../../../fixtures/tables/${name}.json`, import.meta.url), 'utf8'));
}

/** The shortest time for a verdict: load of the machine only prolongs it. */
function quickestVerdict(file: RobotsFile, agent: string, url: string): number {
  const times = Array.from({ length: 30 }, () => {
    const start = processorTime();
    file.allows(agent, url);
    return processorTime() - start;
  });
  return Math.min(...times);
}

describe('a hostile robots.txt', () => {
  it.each(hostile)(
    'is read as the RFC says, and judged within a millisecond: $why',
    ({ parts, encoding, path, ask }) => {
      const text = parts.map(([part, times]) => part.repeat(times)).join('');
      const file = parseRobots(new Uint8Array(Buffer.from(text, encoding ?? 'utf8')));
      const [start, more, times] = path ?? ['', '', 0];
      const place = (asked: string): string => at(asked === '@' ? start + more.repeat(times) : asked);
      expect(ask.map(([agent, asked]) => [agent, asked, file.allows(agent, place(asked))])).toEqual(ask);
      for (const [agent, asked] of ask) expect(quickestVerdict(file, agent, place(asked))).toBeLessThan(1);
    },
  );
});

describe('where others judge otherwise', () => {
  it.each(differences)('the RFC decides: $clause', ({ robots, agent, path, ours }) => {
    expect(parseRobots(robots).allows(agent, at(path))).toBe(ours);
  });
});

describe('the rules of a robots.txt', () => {
  it.each(cases)('$why', ({ robots, ask }) => {
    const file = parseRobots(robots);
    expect(ask.map(([agent, path]) => [agent, path, file.allows(agent, at(path))])).toEqual(ask);
  });

  it.each(cases)('are the same as bytes: $why', ({ robots, ask }) => {
    const file = parseRobots(new TextEncoder().encode(robots));
    expect(ask.map(([agent, path]) => [agent, path, file.allows(agent, at(path))])).toEqual(ask);
  });

  it('count the longer of two that match the same', () => {
    const rules = parseRobots('User-agent: foo\nAllow: /\nAllow: /*\nDisallow: /*');
    expect(rules.allows('foo', at('/x'))).toBe(true);
    expect(parseRobots('User-agent: foo\nDisallow: /\nDisallow: /*\nAllow: /').allows('foo', at('/x'))).toBe(false);
  });

  it('agree with robots-parser wherever that is right', () => {
    const path = fc
      .array(fc.constantFrom('/', 'a', 'b', '.', '-', '?', '='), { maxLength: 6 })
      .map((p) => `/${p.join('')}`);
    const pattern = fc
      .tuple(path, fc.array(fc.constantFrom('*', 'a', 'b', '/', '*a'), { maxLength: 3 }), fc.constantFrom('', '', '$'))
      .map(([start, rest, end]) => start + rest.join('') + end);
    const rule = fc.tuple(fc.constantFrom('Allow', 'Disallow'), pattern).map(([field, value]) => `${field}: ${value}`);
    const group = fc
      .tuple(
        fc.uniqueArray(fc.constantFrom('foo', 'bar', '*', 'Foo-Bot'), { minLength: 1, maxLength: 2 }),
        fc.array(rule, { minLength: 1, maxLength: 5 }),
      )
      .map(([agents, rules]) => [...agents.map((agent) => `User-agent: ${agent}`), ...rules].join('\n'));
    fc.assert(
      fc.property(
        fc.array(group, { maxLength: 4 }),
        path,
        fc.constantFrom('foo', 'Bar', 'baz', 'foo-bot'),
        (groups, asked, agent) => {
          const text = groups.join('\n\n');
          const oracle = robotsParser(at('/robots.txt'), text).isAllowed(at(asked), agent);
          expect([text, asked, agent, parseRobots(text).allows(agent, at(asked))]).toEqual([
            text,
            asked,
            agent,
            oracle,
          ]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('do not break on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.webUrl(), (body, url) => {
        expect(typeof parseRobots(body).allows('foo', url)).toBe('boolean');
      }),
    );
  });

  it('are read in UTF-16 where a byte order mark says so', () => {
    const text = '\ufeffUser-agent: *\nDisallow: /a';
    const little = new Uint8Array(Buffer.from(text, 'utf16le'));
    const big = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
    expect([little, big].map((body) => parseRobots(body).allows('foo', at('/a')))).toEqual([false, false]);
  });

  it('are named in words, with their line', () => {
    const file = parseRobots('# hello\nUser-agent: *\nDisallow: /privé\nAllow: /privé/open');
    expect(file.verdict('foo', at('/priv%C3%A9/x'))).toEqual({ allowed: false, rule: 'Disallow: /privé (line 3)' });
    expect(file.verdict('foo', at('/priv%C3%A9/open'))).toEqual({ allowed: true, rule: 'Allow: /privé/open (line 4)' });
    expect(file.verdict('foo', at('/else'))).toEqual({ allowed: true, rule: 'no rule matches' });
    expect(file.verdict('foo', at('/robots.txt'))).toEqual({ allowed: true, rule: 'robots.txt itself' });
  });
});

describe('the limits of a robots.txt', () => {
  const padded = (length: number): string => {
    const start = 'User-agent: *\n';
    const line = `#${'x'.repeat(98)}\n`;
    const body = start + line.repeat(Math.floor((length - start.length) / line.length));
    return `${body}${'\n'.repeat(length - body.length)}`;
  };

  it('obey a rule that ends before 500 KiB', () => {
    expect(parseRobots(`${padded(ROBOTS_BYTE_LIMIT - 40)}Disallow: /a\n`).allows('foo', at('/a'))).toBe(false);
  });

  it('read nothing behind 500 KiB, and no line that the limit cuts', () => {
    const file = parseRobots(`${padded(ROBOTS_BYTE_LIMIT - 11)}Disallow: /a\nDisallow: /b\n`);
    expect([file.allows('foo', at('/a')), file.allows('foo', at('/b')), file.allows('foo', at('/'))]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('cut a line at 16,664 bytes, less the one that ends it', () => {
    const kept = ROBOTS_LINE_LIMIT - 1 - 'Disallow: /'.length;
    const file = parseRobots(`User-agent: *\nDisallow: /${'a'.repeat(kept)}bbb\n`);
    expect(file.allows('foo', at(`/${'a'.repeat(kept)}c`))).toBe(false);
    expect(file.allows('foo', at(`/${'a'.repeat(kept - 1)}c`))).toBe(true);
  });

  const many = (count: number, pattern: (index: number) => string): string =>
    `User-agent: *\n${Array.from({ length: count }, (_, index) => `Disallow: ${pattern(index)}`).join('\n')}`;
  const quickest = (robots: string, url: string): number => {
    const file = parseRobots(robots);
    const times = Array.from({ length: 30 }, () => {
      const start = processorTime();
      file.allows('foo', url);
      return processorTime() - start;
    });
    return Math.min(...times);
  };

  it.each([
    ['10,000 plain rules', many(10_000, (index) => `/directory-${index}/page`), at('/directory-9999/other')],
    ['a pattern of 8,000 wildcards', `User-agent: *\nDisallow: /${'*a'.repeat(8000)}b`, at(`/${'a'.repeat(2000)}`)],
    ['prefixes of 990 lengths', many(990, (index) => `/${'a'.repeat(index)}b*c`), at(`/${'a'.repeat(2000)}`)],
  ])('decide in some milliseconds at the very most: %s', (_what, robots, url) => {
    expect(quickest(robots, url)).toBeLessThan(5);
  });

  it('forbid what only too many steps could decide, and say so', () => {
    const file = parseRobots(many(9000, (index) => `/*a*a*a*a*a*a*a*a*a*a*a*ab${index}`));
    expect(file.verdict('foo', at(`/${'a'.repeat(2000)}`))).toEqual({
      allowed: false,
      rule: 'the wildcards of robots.txt take too long to compare',
    });
  });
});

describe('the other lines of a robots.txt', () => {
  it.each([
    ['User-agent: *\nCrawl-delay: 2', 2000],
    ['User-agent: *\nCrawl-delay: 0.5', 500],
    ['User-agent: *\nCrawl-delay: 0', 0],
    ['User-agent: *\nCrawl-delay: 10s', 10_000],
    ['User-agent: *\nCrawl-delay: 1e9', 1000],
    ['User-agent: *\nCrawl-delay: 999999999', 86_400_000],
    ['User-agent: *\nCrawl-delay: -3', null],
    ['User-agent: *\nCrawl-delay: Infinity', null],
    ['User-agent: *\nCrawl-delay:', null],
    ['Crawl-delay: 3\nUser-agent: *\nDisallow:', null],
    ['User-agent: *\nCrawl-delay: 3\n\nUser-agent: foo\nDisallow: /x', null],
    ['User-agent: foo\nCrawl-delay: 1\nUser-agent: bar\nCrawl-delay: 2', 1000],
    ['User-agent: bar\nCrawl-delay: 1\nUser-agent: foo\nCrawl-delay: 2', 2000],
    [
      'User-agent: foo\nDisallow: /x\n\nUser-agent: *\nCrawl-delay: 9\nDisallow: /\n\nUser-agent: foo\nCrawl-delay: 4',
      4000,
    ],
  ])('give foo of %j a delay of %s ms', (robots, delay) => {
    expect(parseRobots(robots).crawlDelay('foo')).toBe(delay);
  });

  it('name sitemaps once each, wherever they stand, as written', () => {
    const file = parseRobots(
      'Sitemap: https://example.org/A.xml\nUser-agent: x\nsite-map: /b.xml # here\nSitemap: https://example.org/A.xml\nSitemap:\n',
    );
    expect(file.sitemaps).toEqual(['https://example.org/A.xml', '/b.xml']);
  });

  it.each([
    ['"https://example.org/a.xml"', ['https://example.org/a.xml']],
    ["'/a.xml'", ['/a.xml']],
    ['<https://example.org/a.xml>', ['https://example.org/a.xml']],
    ['https://example.org/a.xml https://example.org/b.xml', ['https://example.org/a.xml', 'https://example.org/b.xml']],
    [
      '"https://example.org/a.xml", HTTPS://example.org/b.xml,',
      ['https://example.org/a.xml', 'HTTPS://example.org/b.xml'],
    ],
    ['https://example.org/my map.xml', ['https://example.org/my map.xml']],
    ['/a,b.xml', ['/a,b.xml']],
    ['"', ['"']],
    ['""', []],
  ])('take the addresses of the sitemap line %s', (line, sitemaps) => {
    expect(parseRobots(`Sitemap: ${line}\n`).sitemaps).toEqual(sitemaps);
  });

  it('are understood in the plural and with endings, as google/robotstxt has it', () => {
    const file = parseRobots(
      'User-agents: *\nDisallowed: /a\nAllowed: /a/b\nSitemaps: /s.xml\nAllowed areas: /a/c\nSite: /t.xml',
    );
    expect(['/a', '/a/b', '/a/c'].map((path) => file.allows('Orbweaver', `https://example.org${path}`))).toEqual([
      false,
      true,
      false,
    ]);
    expect(file.sitemaps).toEqual(['/s.xml']);
  });

  it('name parameters that change nothing', () => {
    expect(parseRobots('User-agent: *\nClean-param: sid&ref /forum/\nClean-param: utm').cleanParams).toEqual([
      { names: ['sid', 'ref'], path: '/forum/' },
      { names: ['utm'], path: '/' },
    ]);
    expect(parseRobots('Clean-param: sort[by]&view%5btype%5d&größe').cleanParams).toEqual([
      { names: ['sort%5Bby%5D', 'view%5Btype%5D', 'gr%C3%B6%C3%9Fe'], path: '/' },
    ]);
  });
});
