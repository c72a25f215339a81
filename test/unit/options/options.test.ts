import { describe, expect, it } from 'vitest';
import { CrawlError } from '../../../src/base/errors.ts';
import { seconds } from '../../../src/base/units.ts';
import { redactedOptions } from '../../../src/crawl/folder/crawl-json.ts';
import { createPolitenessPolicy } from '../../../src/crawl/opening/politeness-policy.ts';
import { readPrivateGrants } from '../../../src/crawl/opening/private-grant.ts';
import { hostKeyOf } from '../../../src/model/url/host-key.ts';
import { crawlerIdentity } from '../../../src/options/identity.ts';
import { parseOptions, type CrawlOptions } from '../../../src/options/options.ts';
import { url } from '../../support/page.ts';

const seeds = ['http://a.test/'];
const hostOf = (text: string): ReturnType<typeof hostKeyOf> => hostKeyOf(url(text));

describe('the options', () => {
  it('are complete after parsing and cannot be changed', () => {
    const options = parseOptions({ seeds });
    expect(options).toMatchObject({
      scope: 'host',
      robots: true,
      retries: 2,
      explore: 'scroll',
      snapshot: ['html', 'text'],
    });
    expect(Object.isFrozen(options)).toBe(true);
  });

  it('take durations of a program as numbers, that of settle as well', () => {
    const given: CrawlOptions = { seeds, settle: { kind: 'after', duration: 2000 }, pageTimeout: 90_000 };
    expect(parseOptions(given)).toMatchObject({ settle: { kind: 'after', duration: 2000 }, pageTimeout: 90_000 });
  });

  it.each<[string, CrawlOptions, string]>([
    ['no seed', { seeds: [] }, 'seeds'],
    ['a negative depth', { seeds, depth: -1 }, 'depth'],
    ['half a page', { seeds, limit: 1.5 }, 'limit'],
    ['no worker', { seeds, workers: 0 }, 'workers'],
    ['more pages than a browser bears', { seeds, workers: 65 }, 'workers'],
    ['less than no worker', { seeds, workers: -1, redis: 'redis://localhost' }, 'workers'],
    ['a broken expression', { seeds, exclude: ['('] }, 'exclude'],
    ['a header without a name', { seeds, headers: ['nothing'] }, 'headers'],
    ['a header that smuggles a second one', { seeds, headers: ['X: a\r\nY: b'] }, 'headers'],
    ['a robots agent with a space', { seeds, robotsAgent: 'My Bot' }, 'robotsAgent'],
    ['a Redis of another kind', { seeds, redis: 'http://localhost' }, 'redis'],
    ['both resume and overwrite', { seeds, resume: true, overwrite: true }, 'resume'],
  ])('with %s are refused by name', (_what, options, name) => {
    expect(() => parseOptions(options)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(name) as string }),
    );
  });

  it('with a key that is unknown are refused', () => {
    const options = { seeds, detph: 3 } as CrawlOptions;
    expect(() => parseOptions(options)).toThrow(/unknown option: detph/);
  });

  it.each([
    [{ noRobots: true }, 'robots: false'],
    [{ header: ['X: 1'] }, 'headers'],
    [{ pageScript: [] }, 'pageScripts'],
    [{ urlList: 'list.txt' }, 'seeds'],
    [{ detph: 3 }, 'depth'],
  ])('by the name of a flag, or nearly so, are told the right one: %j', (given, meant) => {
    const [key = ''] = Object.keys(given);
    expect(() => parseOptions({ seeds, ...given })).toThrow(`unknown option: ${key}\nDid you mean ${meant}?`);
  });

  it('are refused with the value that a program gave', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const refusal = (given: object): string => {
      try {
        parseOptions({ seeds, ...given });
        return '';
      } catch (error) {
        return error instanceof CrawlError ? error.message : String(error);
      }
    };
    expect(refusal({ settle: 'load' })).toMatch(/^settle: "load" is not accepted: give { kind: 'auto' }, /);
    expect(refusal({ settle: { kind: 'lod' } })).toMatch(
      / is not accepted: give { kind: 'auto' }, { kind: 'load' } or /,
    );
    expect(refusal({ settle: { kind: 'after', duration: '2s' } })).toMatch(/ is not accepted: give a number/);
    expect(refusal({ viewport: '3x8' })).toBe('viewport: "3x8" is not accepted: give { width: 1280, height: 800 }');
    expect(refusal({ viewport: { width: 375, hight: 812 } })).toMatch(/ is not accepted: give a number$/);
    expect(refusal({ limit: Infinity })).toMatch(/^limit: Infinity is not accepted/);
    expect(refusal({ delay: Number.NaN })).toMatch(/^delay: NaN is not accepted/);
    expect(refusal({ limit: 10n })).toMatch(/^limit: 10 is not accepted/);
    expect(refusal({ include: [/x/] })).toMatch(/^include: \["\/x\/"\] is not accepted/);
    expect(refusal({ limit: circle })).toMatch(/^limit: the value given is not accepted/);
    expect(refusal({ limit: () => 1 })).toMatch(/^limit: a function is not accepted/);
    expect(refusal({ viewport: { width: 1, height: 800 } })).toMatch(/^viewport: {"width":1,"height":800} is not/);
    expect(refusal({ scope: 'site' })).toMatch(/^scope: "site" is not accepted/);
  });

  it.each([
    [{ delay: '5s' }, 'delay: "5s" is not accepted: give a number of milliseconds'],
    [{ pageTimeout: 1 }, 'pageTimeout: 1 is not accepted: give a number of milliseconds of at least 100'],
    [{ sizeLimit: '20mb' }, 'sizeLimit: "20mb" is not accepted: give a number of bytes'],
    [{ limit: 0 }, 'limit: 0 is not accepted: give a number of at least 1'],
    [{ depth: 20_000 }, 'depth: 20000 is not accepted: give a number of at most 10000'],
    [{ rateLimit: 0 }, 'rateLimit: 0 is not accepted: give a number above 0'],
    [{ limit: 1.5 }, 'limit: 1.5 is not accepted: give a whole number'],
    [{ snapshot: 'html' }, 'snapshot: "html" is not accepted: give a list, in brackets'],
    [{ include: [/x/] }, 'include: ["/x/"] is not accepted: give a text'],
    [{ robots: 'no' }, 'robots: "no" is not accepted: give true or false'],
    [{ scope: 'site' }, 'scope: "site" is not accepted: give one of page, prefix, host, domain, any'],
    [{ snapshot: ['pdf'] }, 'snapshot: ["pdf"] is not accepted: give one of html, text, screenshot, warc'],
    [{ seeds: 'https://example.org/' }, 'seeds: "https://example.org/" is not accepted: give a list, in brackets'],
    [{ seeds: undefined }, 'seeds: nothing is not accepted: give a list, in brackets'],
    [{ seeds: [''] }, 'seeds: [""] is not accepted: give no empty text'],
  ])('are refused with what is accepted: %j', (given, message) => {
    const options: object = { seeds, ...given };
    // @ts-expect-error -- as a program in JavaScript may call it
    expect(() => parseOptions(options)).toThrow(message);
  });

  it('are shown without what is secret', () => {
    const shown = redactedOptions(
      parseOptions({ seeds, headers: ['Cookie: id=42', 'X-Test: 1'], redis: 'redis://me:sesame@h:6379/1' }),
    );
    expect(JSON.stringify(shown)).not.toMatch(/42|sesame|Test: 1/);
    expect(shown).toMatchObject({ headers: ['Cookie: (redacted)', 'X-Test: (redacted)'], redis: 'redis://h:6379/1' });
  });
});

describe('the User-Agent', () => {
  it('says who crawls, how to find out more, and the version of the browser', () => {
    const { userAgent, robotsAgent } = crawlerIdentity(parseOptions({ seeds }), 156);
    expect(userAgent).toMatch(/Chrome\/156\.0\.0\.0 .*\(compatible; Orbweaver\/[\d.]+; \+https:\/\//);
    expect(robotsAgent).toBe('Orbweaver');
  });

  it('takes a suffix, or is replaced', () => {
    expect(crawlerIdentity(parseOptions({ seeds, userAgentSuffix: 'audit@a.test' }), 156).userAgent).toMatch(
      / audit@a\.test$/,
    );
    expect(crawlerIdentity(parseOptions({ seeds, userAgent: 'Mine/1.0' }), 156).userAgent).toBe('Mine/1.0');
  });
});

describe('the politeness towards a host', () => {
  const say: string[] = [];
  const politeness = createPolitenessPolicy(parseOptions({ seeds, maxCrawlDelay: 5000 }), 4, (message) =>
    say.push(message),
  );

  it('wait a second, but for nobody on one’s own machine', () => {
    expect(politeness.delayOf(hostOf('http://a.test/'), null)).toBe(1000);
    for (const own of ['http://localhost:1/', 'http://x.localhost/', 'http://127.0.0.1/', 'http://[::1]/']) {
      expect(politeness.delayOf(hostOf(own), null)).toBe(0);
    }
  });

  it('follow a Crawl-delay there, too, one visit at a time', () => {
    expect(politeness.paceOf(hostOf('http://127.0.0.1/'), seconds(2))).toEqual({ hostDelay: 2000, hostSlots: 1 });
    expect(politeness.paceOf(hostOf('http://127.0.0.1/'), null)).toEqual({ hostDelay: 0, hostSlots: 4 });
  });

  it('cut a Crawl-delay that is too long, and say so once for each host', () => {
    expect(politeness.delayOf(hostOf('http://slow.test/'), seconds(60))).toBe(5000);
    politeness.delayOf(hostOf('http://slow.test/'), seconds(60));
    expect(say).toEqual([expect.stringMatching(/slow\.test asks for a Crawl-delay of 60 s; it was cut to 5 s/)]);
  });
});

describe('--allow-private', () => {
  it.each([
    ['10.0.0.0/8', { cidr: '10.0.0.0/8', port: null }],
    ['192.168.1.20', { cidr: '192.168.1.20', port: null }],
    ['127.0.0.1:4000', { cidr: '127.0.0.1', port: 4000 }],
    ['localhost/8', { cidr: '127.0.0.1/8', port: null }],
    ['fd00::/8', { cidr: 'fd00::/8', port: null }],
    ['[fd00::1]:80', { cidr: 'fd00::1', port: 80 }],
    ['::1', { cidr: '::1', port: null }],
  ])('reads %s', (text, grant) => {
    expect(readPrivateGrants(text)).toEqual([grant]);
  });

  it.each([
    ['localhost', null],
    ['localhost:4000', 4000],
  ])('reads %s as its addresses of both families', (text, port) => {
    expect(readPrivateGrants(text)).toEqual([
      { cidr: '127.0.0.1', port },
      { cidr: '::1', port },
    ]);
  });

  it.each(['', 'example.org', '10.0.0.0/33', '10.0.0.1:0', '10.0.0.1:70000', 'fd00::/129', '10.0.0.1/8/9'])(
    'refuses %j',
    (text) => {
      expect(() => readPrivateGrants(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    },
  );
});
