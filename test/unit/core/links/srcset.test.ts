import { expect, test } from 'vitest';
import { srcsetUrls } from '../../../../src/core/links/markup/srcset.ts';

test.each<[string, string, readonly string[]]>([
  ['one URL', 'a.png', ['a.png']],
  ['widths and densities', 'a.png 1x, b.png 2x,c.png 640w', ['a.png', 'b.png', 'c.png']],
  ['a comma within a URL', 'a,b.png 1x, c.png 2x', ['a,b.png', 'c.png']],
  ['a comma at the end of a URL', 'a.png, b.png', ['a.png', 'b.png']],
  ['commas without spaces, which make one URL', 'a.png,b.png', ['a.png,b.png']],
  ['commas and spaces around', ' ,, a.png 1x ,, b.png ', ['a.png', 'b.png']],
  ['a data: URL', 'data:image/png;base64,AA== 1x, b.png 2x', ['data:image/png;base64,AA==', 'b.png']],
  ['brackets in a descriptor', 'a.png x(1, 2) 1x, b.png', ['a.png', 'b.png']],
  ['line ends and tabs', 'a.png\n\t480w,\r\nb.png 800w', ['a.png', 'b.png']],
  ['a query', '/i?w=1,h=2 1x, /i?w=2 2x', ['/i?w=1,h=2', '/i?w=2']],
  ['nothing', ' , ', []],
])('%s is read as the HTML Standard says', (_name, text, urls) => {
  expect(srcsetUrls(text)).toEqual(urls);
});

test('a list without end is cut', () => {
  expect(srcsetUrls('a.png 1x, '.repeat(10_000))).toHaveLength(200);
});
