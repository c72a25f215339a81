import { describe, expect, it } from 'vitest';
import { metaDirectives } from '../../../../src/core/html/meta-robots.ts';

describe('a meta element', () => {
  it.each<[string, string, readonly string[]]>([
    ['robots', 'NOINDEX, nofollow,,', ['noindex', 'nofollow']],
    ['Robots', 'something-new', ['something-new']],
    ['googlebot', 'noindex, max-snippet: 20', ['googlebot: noindex', 'googlebot: max-snippet: 20']],
    ['Orbweaver', 'none', ['orbweaver: none']],
    ['description', 'none of your business', []],
    ['keywords', 'index, funds', []],
    ['author', '', []],
    ['og:follow', 'follow', []],
    ['bingbot2', 'nofollow', []],
  ])('called %s with %j asks %j of robots', (name, content, directives) => {
    expect(metaDirectives(name, content)).toEqual(directives);
  });
});
