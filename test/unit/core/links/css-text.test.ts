import { describe, expect, it } from 'vitest';
import { cssReferences } from '../../../../src/core/links/markup/css-text.ts';
import { processorTime } from '../../../support/processor-time.ts';

const found = (text: string): string[] =>
  cssReferences(text, 'https://example.org/a.css').map(({ href, context }) => `${context} ${href}`);

describe('cssReferences', () => {
  it.each([
    ['a{background:url(/a.png)}', ['url() /a.png']],
    ['a{background:URL( "a b.png" )}', ['url() a b.png']],
    ["a{background:url('a(1).png'),url(b.png)}", ['url() a(1).png', 'url() b.png']],
    [
      '@import "one.css";@import url(two.css) screen;@import url("three.css") layer(x);',
      ['@import one.css', '@import two.css', '@import three.css'],
    ],
    [
      '@import"one.css";@import\'two.css\';@import/* x *//**/ "three.css";@import/**/url(four.css);',
      ['@import one.css', '@import two.css', '@import three.css', '@import four.css'],
    ],
    ['@font-face{src:local("x"),url(f.woff2)format("woff2"),url(f.woff)}', ['url() f.woff2', 'url() f.woff']],
    ['a{background:image-set(url(x1.png) 1x, url(x2.png) 2x)}', ['url() x1.png', 'url() x2.png']],
    [String.raw`a{b:url(\/esc\61 ped.png)}`, ['url() /escaped.png']],
    ['a{b:url(/a.png)}c{d:url(/a.png)}', ['url() /a.png']],
    ['a{b:src("/by-src.png")}', ['url() /by-src.png']],
    ['/* url(no.png) */a{b:url(yes.png)}', ['url() yes.png']],
    ['a::before{content:"url(no.png)"}b{c:url(yes.png)}', ['url() yes.png']],
    ['a{b:url(data:image/png;base64,AA/BB)}', []],
    ['a{filter:url(#f);c:url();d:url("")}', []],
    ['a{b:curl(no.png)}', []],
    ['/* never ends url(no.png)', []],
    ['url(', []],
    ['', []],
  ])('reads %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each(['url(', '@import ', '@import/**/', '@import/*', '"', "'", '/*', '\\', 'url("', '@import url(', ' '])(
    'reads a hostile sheet of %j in linear time',
    (piece) => {
      const start = processorTime();
      found(piece.repeat(200_000));
      expect(processorTime() - start).toBeLessThan(1000);
    },
  );
});
