import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseSitemap } from '../../../src/pipeline/packed-sitemap.ts';

const AT = 'https://example.org/sitemap.xml.gz';
const BODY = '<urlset><url><loc>https://example.org/a</loc></url></urlset>';
const READ = { kind: 'urlset', entries: [{ loc: 'https://example.org/a' }] };

describe('parseSitemap of the library', () => {
  it('reads a sitemap packed as a file like the same unpacked', () => {
    const bytes = new TextEncoder().encode(BODY);
    expect([parseSitemap(BODY, AT), parseSitemap(bytes, AT), parseSitemap(gzipSync(bytes), AT)]).toEqual([
      READ,
      READ,
      READ,
    ]);
  });

  it('reads nothing of what would become larger than 50 MB', () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(BODY), Buffer.alloc(60 * 1024 * 1024, ' ')]));
    expect(parseSitemap(bomb, AT)).toEqual({ kind: 'unknown', entries: [] });
  });

  it('reads nothing of what only begins like a packed file', () => {
    expect(parseSitemap(new Uint8Array([0x1f, 0x8b, 1, 2, 3]), AT)).toEqual({ kind: 'unknown', entries: [] });
  });
});
