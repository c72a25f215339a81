import { describe, expect, it } from 'vitest';
import { KnownTargets } from '../../../../src/core/links/known-targets.ts';
import { resolveLink } from '../../../../src/core/links/resolve.ts';
import type { FoundLink } from '../../../../src/model/link.ts';
import { DEFAULT_URL_POLICY, canonicalUrl } from '../../../../src/model/url/canonical-url.ts';
import { anchorOf } from '../../../support/page.ts';

const to = canonicalUrl('https://example.org/kept') ?? expect.fail('a URL');

/** The target known for a link after another one was kept. */
function knownOf(link: FoundLink, kept: FoundLink): string | undefined {
  const known = new KnownTargets(DEFAULT_URL_POLICY);
  known.keep(kept, to, DEFAULT_URL_POLICY);
  return known.get(link, DEFAULT_URL_POLICY);
}

const HOST = 'https://example.org';

describe('KnownTargets', () => {
  it.each([
    ['a path of the host, on any of its pages', '/a.html', `${HOST}/b/c`, `${HOST}/d/e?q#f`],
    ['a reference within a folder, on its pages', '../a.html', `${HOST}/b/c.html?q=/x/`, `${HOST}/b/d.html#/y/`],
    ['an absolute reference', 'https://other.example/', `${HOST}/b/c`, `${HOST}/b/d`],
  ])('knows %s', (_what, href, one, other) => {
    expect(knownOf(anchorOf(href, other), anchorOf(href, one))).toBe(to);
  });

  it.each([
    ['a reference in another folder', 'a.html', `${HOST}/b/c`, `${HOST}/d/c`],
    ['one of another host', '/a.html', `${HOST}/b`, 'https://other.example/b'],
    ['one of another scheme', '//other.example/a', `${HOST}/b/c`, 'http://example.org/b/c'],
    ['one of a base whose last part is a step up', 'a.html', `${HOST}/b/c`, `${HOST}/b/..`],
    ['one of a base whose last part is a hidden step up', 'a.html', `${HOST}/b/c`, `${HOST}/b/%2E%2e?q`],
    ['one of a base with a backslash', 'a.html', `${HOST}/b/c`, `${HOST}/b/d\\e`],
    ['one of a base without a path', 'a.html', `${HOST}/c`, HOST],
    ['one of a base that is no URL of the web', 'a.html', `${HOST}/c`, 'data:text/html,/c'],
    ['a reference with a query', 'a.html?b=1', `${HOST}/b/c`, `${HOST}/b/c`],
    ['a reference with a fragment', 'a.html#b', `${HOST}/b/c`, `${HOST}/b/c`],
  ])('does not know %s', (_what, href, one, other) => {
    expect(knownOf(anchorOf(href, other), anchorOf(href, one))).toBeUndefined();
  });

  it.each([
    ['resolved by its document', { resolved: `${HOST}/x` }],
    ['made by a script', { kind: 'navigation' }],
    ['a route', { isRoute: true }],
  ] as const)('does not know a link that is %s', (_what, more) => {
    const link = anchorOf('/a.html', `${HOST}/b`);
    expect(knownOf({ ...link, ...more }, link)).toBeUndefined();
    expect(knownOf(link, { ...link, ...more })).toBeUndefined();
  });

  it('knows nothing by other rules for canonical URLs', () => {
    const known = new KnownTargets(DEFAULT_URL_POLICY);
    const link = anchorOf('/a.html', `${HOST}/b`);
    known.keep(link, to, DEFAULT_URL_POLICY);
    expect(known.get(link, { ...DEFAULT_URL_POLICY })).toBeUndefined();
  });

  it('forgets when it is full, and goes on', () => {
    const known = new KnownTargets(DEFAULT_URL_POLICY);
    const at = (index: number): FoundLink => anchorOf(`/${index}`, `${HOST}/b`);
    for (let index = 0; index < 60_000; index++) known.keep(at(index), to, DEFAULT_URL_POLICY);
    expect(known.get(at(0), DEFAULT_URL_POLICY)).toBeUndefined();
    expect(known.get(at(59_999), DEFAULT_URL_POLICY)).toBe(to);
  });

  it('says of every two pages and references what resolving them says', () => {
    const bases = ['/', '/a', '/a/', '/a/b', '/a/b/?c=/d/', '/a/b/#/e/', '/a/..', '/a/./', '//', '/a//b'].map(
      (path) => HOST + path,
    );
    const references = [
      'x',
      './x',
      '../x',
      '/x',
      '//other.example/x',
      'https:x',
      '..',
      '.',
      '/',
      'x/../y',
      ' x ',
      'x\\y',
      '/\\x',
    ];
    const resolved = (link: FoundLink): unknown => {
      const found = resolveLink(link, DEFAULT_URL_POLICY, `${HOST}/page`);
      return found.kind === 'link' ? found.link.to : found.kind;
    };
    for (const one of bases) {
      for (const other of bases) {
        for (const href of references) {
          const known = new KnownTargets(DEFAULT_URL_POLICY);
          const target = canonicalUrl(href.trim(), one);
          if (target !== null) known.keep(anchorOf(href, one), target, DEFAULT_URL_POLICY);
          const link = anchorOf(href, other);
          expect([href, one, other, known.get(link, DEFAULT_URL_POLICY) ?? resolved(link)]).toEqual([
            href,
            one,
            other,
            resolved(link),
          ]);
        }
      }
    }
  });
});
