import { describe, expect, it } from 'vitest';
import { urlTemplate } from '../../../../src/core/page-clusters/url-template.ts';
import { canonicalUrl } from '../../../../src/model/url/canonical-url.ts';

function templates(url: string): readonly [specific: string, general: string] {
  const canonical = canonicalUrl(url);
  if (canonical === null) throw new Error(`no canonical URL: ${url}`);
  const { specific, general } = urlTemplate(canonical);
  return [specific, general];
}

describe('the template of a URL', () => {
  it.each([
    ['http://a.test/', '/', '/'],
    ['http://a.test/about', '/about', '/{name}'],
    ['http://a.test/about/', '/about/', '/about/'],
    ['http://a.test/news/2024/05/some-title.html', '/news/{n}/{n}/{slug}.html', '/news/{n}/{n}/{name}.html'],
    ['http://a.test/2024-05-17/x', '/{date}/x', '/{date}/{name}'],
    ['http://a.test/p/1234', '/p/{n}', '/p/{name}'],
    ['http://a.test/page7.htm', '/page{n}.htm', '/{name}.htm'],
    ['http://a.test/o/3f2504e0-4f89-11d3-9a0c-0305e82c3301', '/o/{id}', '/o/{name}'],
    ['http://a.test/o/deadbeef01/edit', '/o/{id}/edit', '/o/{id}/{name}'],
    ['http://a.test/facade/decade', '/facade/decade', '/facade/{name}'],
    ['http://a.test/w/Caf%C3%A9', '/w/{slug}', '/w/{name}'],
    ['http://a.test/list?page=3&by=name', '/list?by&page', '/{name}?by&page'],
    ['http://a.test/app#/users/3', '/app#{route}', '/{name}#{route}'],
    ['http://a.test/file.PHP?id=1', '/file.php?id', '/{name}.php?id'],
  ])('%s is %s, or %s', (url, specific, general) => {
    expect(templates(url)).toEqual([specific, general]);
  });

  it('is bounded, however long the URL', () => {
    const [specific] = templates(`http://a.test/${'a/'.repeat(900)}`);
    const query = Array.from({ length: 200 }, (_, index) => `q${index}=1`).join('&');
    expect(specific).toBe('/a/a/a/a/a/a/a/{rest}');
    expect(templates(`http://a.test/?${query}`)[0].length).toBeLessThan(300);
  });
});
