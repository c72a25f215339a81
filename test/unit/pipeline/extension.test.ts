import { describe, expect, it } from 'vitest';
import type { Log, LogFields } from '../../../src/base/log.ts';
import { missingTitle } from '../../../src/core/audit-rules/missing-title.ts';
import { fileLink, type LinkDiscoverer } from '../../../src/core/links/discoverer.ts';
import { extensionLinks } from '../../../src/pipeline/discover-links.ts';
import { checkedExtensions, defineExtension, type ExtensionDefinition } from '../../../src/pipeline/extension.ts';

const URL_OF_FILE = 'http://a.test/list.opml';
const file = {
  url: URL_OF_FILE,
  contentType: 'text/x-opml',
  bytes: new Uint8Array(),
  text: 'one two',
  truncated: false,
};

/** An OPML discoverer that returns this value, whatever it is. */
const giving = (value: unknown, accepts = true): LinkDiscoverer =>
  ({ name: 'words', accepts: () => accepts, discover: () => value }) as LinkDiscoverer;

function discover(...discoverers: readonly LinkDiscoverer[]) {
  const warnings: [string, LogFields | undefined][] = [];
  const nothing = (): void => {};
  const log: Log = {
    debug: nothing,
    info: nothing,
    error: nothing,
    warn: (...line) => void warnings.push([line[0], line[1]]),
  };
  const links = extensionLinks(file, { extensions: [defineExtension({ name: 'mine', discoverers })], log });
  return { links, warnings };
}

describe('defineExtension', () => {
  it('takes a name and parts of five kinds, and nothing at all for what is left out', () => {
    const given = {
      name: 'mine',
      processors: [{ name: 'none', accepts: () => false, process: () => ({}) }],
      discoverers: [giving([])],
      snapshotWriters: [() => ({ write: () => Promise.resolve() })],
      pageHooks: [{ name: 'all', matches: '**', settled: () => {} }],
      auditRules: [{ ...missingTitle, id: 'own-rule' }],
    };
    expect(defineExtension(given)).toEqual(given);
    expect(defineExtension({ name: '@my/own' })).toEqual({
      name: '@my/own',
      processors: [],
      discoverers: [],
      snapshotWriters: [],
      pageHooks: [],
      auditRules: [],
    });
  });

  it.each([
    [
      'a part that there is not yet',
      { name: 'x', reporters: [] },
      /no part reporters; there are: name, processors, discoverers, snapshotWriters/,
    ],
    [
      'a processor that does not process',
      { name: 'x', processors: [{ name: 'y', accepts: () => true }] },
      /processors\.0\.process is not accepted: must be a function/,
    ],
    [
      'an audit rule that checks nothing',
      { name: 'x', auditRules: [{ ...missingTitle, checkPage: undefined }] },
      /auditRules\.0 is not accepted: must have a function checkPage or checkSite/,
    ],
    [
      'an audit rule of another severity',
      { name: 'x', auditRules: [{ ...missingTitle, severity: 'fatal' }] },
      /auditRules\.0\.severity is not accepted/,
    ],
    [
      'a snapshot writer that does not open',
      { name: 'x', snapshotWriters: [{ write: () => null }] },
      /snapshotWriters\.0 is not accepted: must be a function/,
    ],
    ['no name', {}, /name is not accepted/],
    ['a name of other letters', { name: 'x y' }, /name is not accepted: must be 1 to 100/],
    ['discoverers that are no list', { name: 'x', discoverers: {} }, /discoverers is not accepted/],
    [
      'a discoverer that does not discover',
      { name: 'x', discoverers: [{ name: 'y', accepts: () => true }] },
      /discoverers\.0\.discover is not accepted: must be a function/,
    ],
    ['nothing', undefined, /it is not accepted/],
  ])('refuses %s', (_what, given, message) => {
    const define = (): unknown => defineExtension(given as ExtensionDefinition);
    expect(define).toThrow(expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) }));
  });

  it('has no two extensions of one name in a crawl', () => {
    expect(() => checkedExtensions([{ name: 'x' }, { name: 'y' }, { name: 'x' }])).toThrow(
      /two extensions are called x/,
    );
  });
});

describe('an extension’s discoverer', () => {
  const how = { kind: 'feed', context: 'outline' } as const;

  it('is asked for the links of what it accepts, and of nothing else', () => {
    const words: LinkDiscoverer = {
      name: 'words',
      accepts: (contentType, url) => contentType === 'text/x-opml' && url === URL_OF_FILE,
      discover: ({ text, url }) => text.split(' ').map((word) => fileLink(word, url, how)),
    };
    expect(discover(words).links).toEqual([fileLink('one', URL_OF_FILE, how), fileLink('two', URL_OF_FILE, how)]);
    expect(discover(giving([fileLink('/x', URL_OF_FILE, how)], false)).links).toEqual([]);
  });

  it.each([
    ['throws', { ...giving([]), discover: () => JSON.parse('{') as never }],
    ['throws when it is asked what it accepts', { ...giving([]), accepts: () => JSON.parse('{') as never }],
    ['gives no list', giving(Promise.resolve([]))],
  ])('that %s costs a line of the log, and not the links of the others', (_what, broken) => {
    const { links, warnings } = discover(broken, giving([fileLink('/x', URL_OF_FILE, how)]));
    expect(links).toHaveLength(1);
    expect(warnings).toMatchObject([
      ['discoverer failed', { extension: 'mine', discoverer: 'words', url: URL_OF_FILE }],
    ]);
  });

  it('has what is no link dropped, a redirect among it, and the rest kept', () => {
    const good = fileLink('/x', URL_OF_FILE, how);
    const bad = [null, 'x', { ...good, href: 7 }, { ...good, kind: 'redirect' }, { ...good, href: 'x'.repeat(9000) }];
    const { links, warnings } = discover(giving([...bad, good]));
    expect(links).toEqual([good]);
    expect(warnings).toMatchObject([['discoverer returned invalid links', { count: bad.length }]]);
  });

  it('has long texts cut, unknown fields left out, and no more than 10,000 links kept', () => {
    const long = { ...fileLink('/x', URL_OF_FILE, { ...how, text: 'x'.repeat(999) }), extra: true };
    const { links, warnings } = discover(giving(Array.from({ length: 10_001 }, () => long)));
    expect(links).toHaveLength(10_000);
    expect(links[0]).toEqual(fileLink('/x', URL_OF_FILE, { ...how, text: 'x'.repeat(200) }));
    expect(warnings).toMatchObject([['discoverer gave too many links', { count: 10_001 }]]);
  });
});
