import { describe, expect, test } from 'vitest';
import { readHtml } from '../../../../src/core/html/tree.ts';
import { loadedSubresources } from '../../../../src/fetch/static/loaded-subresources.ts';
import { documentElements } from '../../../../src/fetch/static/markup-links.ts';

function partsOf(html: string): { readonly sheets: readonly string[]; readonly scripts: readonly string[] } {
  return loadedSubresources(documentElements(readHtml(html).top), 'http://site.test/dir/page');
}

describe('a browser loads', () => {
  test.each([
    ['<link rel="Stylesheet" href=a.css>', 'http://site.test/dir/a.css'],
    ['<link rel="alternate stylesheet" title=x href="/a.css#x">', 'http://site.test/a.css'],
    ['<link rel=stylesheet type=text/css media=print href=//cdn.test/a.css>', 'http://cdn.test/a.css'],
    ['<link rel=preload as=style href=a.css>', 'http://site.test/dir/a.css'],
    ['<style>@import "a.css"; p { background: url(a.png) }</style>', 'http://site.test/dir/a.css'],
  ])('the sheet of %s', (html, url) => {
    expect(partsOf(html)).toEqual({ sheets: [url], scripts: [] });
  });

  test.each([
    ['<script src=a.js></script>', 'http://site.test/dir/a.js'],
    ['<script type=module src="/a.js"></script>', 'http://site.test/a.js'],
    ['<svg><script href=a.js></script></svg>', 'http://site.test/dir/a.js'],
    ['<link rel=modulepreload href=a.js>', 'http://site.test/dir/a.js'],
    ['<link rel=preload as=script href=a.js>', 'http://site.test/dir/a.js'],
  ])('the script of %s', (html, url) => {
    expect(partsOf(html)).toEqual({ sheets: [], scripts: [url] });
  });

  test.each([
    '<link rel=stylesheet href="">',
    '<link rel=stylesheet disabled href=a.css>',
    '<link rel="stylesheet/less" href=a.less>',
    '<link rel=stylesheet type=text/less href=a.less>',
    '<link rel=preload as=font href=a.woff2>',
    '<link rel=icon href=a.png>',
    '<template><link rel=stylesheet href=a.css></template>',
    '<noscript><link rel=stylesheet href=a.css></noscript>',
    '<script nomodule src=a.js></script>',
    '<script type=text/plain src=a.js></script>',
    '<script>1</script>',
    '<link rel=stylesheet href="data:text/css,a{}">',
  ])('nothing for %s', (html) => {
    expect(partsOf(html)).toEqual({ sheets: [], scripts: [] });
  });
});
