import { describe, expect, it } from 'vitest';
import { resolveLink } from '../../../../src/core/links/resolve.ts';
import type { FoundLink } from '../../../../src/model/link.ts';
import { DEFAULT_URL_POLICY } from '../../../../src/model/url/canonical-url.ts';
import { anchorOf } from '../../../support/page.ts';

const BASE = 'https://example.org/dir/page?q#part';
const foundLink = (href: string, more: Partial<FoundLink> = {}): FoundLink => anchorOf(href, BASE, more);
const resolve = (href: string, more: Partial<FoundLink> = {}) =>
  resolveLink(foundLink(href, more), DEFAULT_URL_POLICY, BASE);

describe('resolveLink', () => {
  it.each([
    ['other', 'https://example.org/dir/other'],
    ['  ../up \n', 'https://example.org/up'],
    ['?x', 'https://example.org/dir/page?x'],
    ['#/route', 'https://example.org/dir/page?q#/route'],
    ['#!route', 'https://example.org/dir/page?q#!route'],
    ['#?testId=a-1', 'https://example.org/dir/page?q#?testId=a-1'],
    ['#?speedboard', 'https://example.org/dir/page?q#?speedboard'],
    ['//example.net', 'https://example.net/'],
    ['other#part', 'https://example.org/dir/other'],
    ['page?q', 'https://example.org/dir/page?q'],
    ['HTTP://Example.net:80', 'http://example.net/'],
  ])('leads from %j to %s', (href, to) => {
    expect(resolve(href)).toEqual(
      to === null ? { kind: 'same-page' } : { kind: 'link', link: { ...foundLink(href), to } },
    );
  });

  it('keeps a fragment that is known to be a route, and no other', () => {
    const to = 'https://example.org/dir/page?q#inbox';
    const route = foundLink('#inbox', { isRoute: true, confidence: 'low' });
    expect(resolveLink(route, DEFAULT_URL_POLICY, BASE)).toEqual({ kind: 'link', link: { ...route, to } });
    expect(resolve('#inbox')).toEqual({ kind: 'same-page' });
    expect(resolveLink(route, { ...DEFAULT_URL_POLICY, keepHashRoutes: false }, BASE)).toEqual({ kind: 'same-page' });
  });

  it.each(['#', '#!', '#?', '#part', '#top', '', '  ', 'about:blank', 'about:srcdoc'])(
    'finds that %j leads nowhere else',
    (href) => {
      expect(resolve(href)).toEqual({ kind: 'same-page' });
    },
  );

  it.each(['#part', '#', ''])('finds that %j leads to the base where a base element has put that elsewhere', (href) => {
    const base = 'https://example.org/deep/';
    expect(resolve(href, { base })).toMatchObject({ kind: 'link', link: { to: base } });
  });

  it('takes a fragment in a frame for the frame itself', () => {
    const frame = 'https://example.org/frame';
    expect(resolve('#x', { base: frame, frame })).toEqual({ kind: 'same-page' });
  });

  it('leads where the browser goes, where that is somewhere else', () => {
    const resolved = 'https://example.org/find?q=%E9';
    expect(resolve('/find?q=\u0439', { resolved })).toMatchObject({ kind: 'link', link: { to: resolved } });
    expect(resolve('/find?q=\u0439')).toMatchObject({ link: { to: 'https://example.org/find?q=%D0%B9' } });
  });

  it('takes an empty form action for the page itself', () => {
    expect(resolve('', { kind: 'form' })).toMatchObject({
      kind: 'link',
      link: { to: 'https://example.org/dir/page?q' },
    });
  });

  it.each([
    ['mailto:me@example.org', 'scheme mailto:'],
    ['javascript:void(0)', 'scheme javascript:'],
    ['JavaScript:alert("x")', 'scheme javascript:'],
    ['tel:+49123', 'scheme tel:'],
    ['data:text/html,hello', 'scheme data:'],
    ['blob:https://example.org/1', 'scheme blob:'],
    ['ftp://example.org/', 'scheme ftp:'],
    ['java\nscript:void(0)', 'scheme javascript:'],
    ['about:config', 'scheme about:'],
    ['http://', 'not a URL'],
    ['http://exa mple.org/', 'not a URL'],
  ])('skips %j: %s', (href, rule) => {
    expect(resolve(href)).toEqual({ kind: 'skipped', reason: 'unsupported-scheme', rule, href });
  });

  it('shortens what it shows of a long one', () => {
    const picture = `data:image/png;base64,${'A'.repeat(100_000)}`;
    expect(resolve(picture)).toEqual({
      kind: 'skipped',
      reason: 'unsupported-scheme',
      rule: 'scheme data:',
      href: picture.slice(0, 256),
    });
    expect(resolve(`/${'a'.repeat(3000)}`)).toEqual({
      kind: 'skipped',
      reason: 'too-long',
      rule: 'URL of 3001 characters',
      href: `/${'a'.repeat(255)}`,
    });
  });

  it('takes an absolute URL whose base is none', () => {
    expect(resolve('https://example.net/', { base: 'about:blank' })).toMatchObject({ kind: 'link' });
    expect(resolve('https://example.net/', { base: 'nonsense' })).toMatchObject({ kind: 'link' });
    expect(resolve('page', { base: 'nonsense' })).toMatchObject({ kind: 'skipped', rule: 'not a URL' });
  });
});

describe('what a script does with the address of its own page', () => {
  const seen = (kind: FoundLink['kind'], href: string): FoundLink => ({
    ...foundLink(href),
    kind,
    base: 'https://example.org/list?page=1',
  });

  it.each(['history', 'navigation'] as const)('is no link by %s, and is one elsewhere', (kind) => {
    const page = 'https://example.org/list?page=1';
    expect(resolveLink(seen(kind, '/list?page=1#top'), DEFAULT_URL_POLICY, page)).toEqual({ kind: 'same-page' });
    expect(resolveLink(seen(kind, '/list?page=2'), DEFAULT_URL_POLICY, page)).toMatchObject({ kind: 'link' });
    expect(resolveLink(seen('anchor', '/list?page=1'), DEFAULT_URL_POLICY, page)).toMatchObject({ kind: 'link' });
  });
});
