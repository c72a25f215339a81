import { describe, expect, it } from 'vitest';
import { buildScope } from '../../../src/core/scope/decide.ts';
import type { FoundLink } from '../../../src/model/link.ts';
import { DEFAULT_URL_POLICY } from '../../../src/model/url/canonical-url.ts';
import { outgoingLinks } from '../../../src/pipeline/outgoing-links.ts';
import { createSitemapBook } from '../../../src/pipeline/sitemap-book.ts';
import { anchorOf, url, visitOf } from '../../support/page.ts';

const judged = (page: string, foundLinks: readonly FoundLink[]): Promise<readonly (readonly [string, string])[]> =>
  outgoingLinks(visitOf(page), foundLinks, {
    page,
    scope: buildScope({ scope: 'host', include: [], exclude: [], depth: null, extraHops: 0 }, [url('http://a.test/')]),
    urlPolicy: DEFAULT_URL_POLICY,
    pageNofollow: false,
    respectNofollow: true,
    sitemaps: createSitemapBook(),
  }).then((links) =>
    links.map(({ record, target }) => [
      record.to.replace('http://a.test', ''),
      target.kind === 'skipped' ? target.record.reason : target.kind,
    ]),
  );

describe('a path in the text of a page', () => {
  const told = (page: string, path: string): Promise<readonly (readonly [string, string])[]> =>
    judged(`http://a.test${page}`, [
      anchorOf(path, `http://a.test${page}`, { kind: 'text', context: 'text', confidence: 'low' }),
    ]);

  // "Index of /files/set" stands above the listing of a folder, and a name with a blank is cut there
  it.each([
    ['/files/set/', '/files/set'],
    ['/files/set/?C=N;O=D', '/files/set'],
    ['/files/%C3%9Cber%20uns/', '/files/Über'],
    ['/files/%C3%9Cber%20uns/inner/', '/files/Über'],
    ["/files/it's/", '/files/it'],
    ['/files/a%22b%22/', '/files/a'],
    // a server that names no encoding (autoindex of nginx, mod_autoindex): readers take the octets of the name for windows-1252
    ['/files/%C3%BCber/', '/files/Ã¼ber'],
    ['/files/%C3%BCber/?C=N;O=D', '/files/Ã¼ber'],
    ['/files/%C3%9Cber%20uns/inner/', '/files/Ãœber'],
    ['/files/%E2%82%AC/', '/files/â‚¬/'],
    ['/files/%FCber/', '/files/über'],
  ])('on %s is no link if it is the page itself: %s', async (page, path) => {
    expect(await told(page, path)).toEqual([]);
  });

  it.each([
    ['/files/set/', '/files/other', '/files/other'],
    ['/files/set/inner/', '/files/set', '/files/set'],
    ['/files/settings/', '/files/set', '/files/set'],
    ['/files/set/', '/files/set?all=1', '/files/set?all=1'],
    ['/files/%C3%BCber/', '/files/Ã¼bersicht', '/files/%C3%83%C2%BCbersicht'],
    ['/files/%C3%BCber/', '/other/Ã¼ber', '/other/%C3%83%C2%BCber'],
  ])('on %s is a speculative one otherwise: %s', async (page, path, to) => {
    expect(await told(page, path)).toEqual([[to, 'candidate']]);
  });

  it('is a link where an anchor names it', async () => {
    expect(await judged('http://a.test/files/set/', [anchorOf('/files/set', 'http://a.test/files/set/')])).toEqual([
      ['/files/set', 'candidate'],
    ]);
  });
});
