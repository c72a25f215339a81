import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, normalize } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDirectoryWriter } from '../../../src/crawl-folder/directory-writer.ts';
import { snapshotStem } from '../../../src/crawl-folder/snapshot-layout.ts';
import { canonicalUrl, type CanonicalUrl } from '../../../src/model/url/canonical-url.ts';
import { pageOf } from '../../support/page.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-snapshots-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const urlOf = (text: string): CanonicalUrl => {
  const url = canonicalUrl(text);
  if (url === null) throw new Error(text);
  return url;
};

describe('the directory writer', () => {
  it('writes what was asked for and names it relative to the crawl folder', async () => {
    await using writer = openDirectoryWriter(folder, { html: true, text: true, screenshot: true });
    const page = pageOf('http://a.test/docs/Intro?x=1', {
      html: '<p>ü</p>',
      text: 'ü',
      screenshot: new Uint8Array([255, 216]),
    });
    const paths = await writer.write(page, never);
    expect(paths.html).toMatch(/^snapshots\/[0-9a-f]{2}\/[0-9a-f]{20}-docs-intro-x-1\.html$/);
    expect(await readFile(join(folder, paths.html ?? ''), 'utf8')).toBe('<p>ü</p>');
    expect(await readFile(join(folder, paths.text ?? ''), 'utf8')).toBe('ü');
    expect([...(await readFile(join(folder, paths.screenshot ?? '')))]).toEqual([255, 216]);
  });

  it('does not make the crawl folder again where it was removed', async () => {
    await using writer = openDirectoryWriter(folder, { html: true, text: false, screenshot: false });
    await rm(folder, { recursive: true });
    const page = pageOf('http://a.test/', { html: '<p>' });
    await expect(writer.write(page, never)).rejects.toThrow(/its folder is not there\nIf it was moved or removed/);
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('leaves out what was not asked for or is not there', async () => {
    await using writer = openDirectoryWriter(folder, { html: true, text: false, screenshot: true });
    const paths = await writer.write(pageOf('http://a.test/', { html: '<p>', text: 't', screenshot: null }), never);
    expect(paths).toMatchObject({ text: null, screenshot: null, warc: null });
  });

  it('gives the digests in one order, whichever file is written first', async () => {
    const waiting: (() => void)[] = [];
    const keepBackwards = (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const end of waiting.toReversed()) end();
      });
    await using writer = openDirectoryWriter(folder, { html: true, text: true, screenshot: true }, keepBackwards);
    const page = pageOf('http://a.test/', { html: '<p>', text: 't', screenshot: new Uint8Array([255, 216]) });
    const { digests = {} } = await writer.write(page, never);
    expect(Object.keys(digests)).toEqual(['html', 'text', 'screenshot']);
  });

  it('leaves one set of files, and no temporary ones, when a page is written twice', async () => {
    await using writer = openDirectoryWriter(folder, { html: true, text: false, screenshot: false });
    await writer.write(pageOf('http://a.test/', { html: 'old' }), never);
    const { html } = await writer.write(pageOf('http://a.test/', { html: 'new' }), never);
    const files = (await readdir(folder, { recursive: true })).filter((name) => /\.\w+$/.test(name));
    expect(files).toEqual([normalize(html ?? '')]);
    expect(await readFile(join(folder, html ?? ''), 'utf8')).toBe('new');
  });
});

describe('the name of a snapshot', () => {
  it.each([
    'http://a.test/../../etc/passwd',
    'http://a.test/%2e%2e%2f%2e%2e%2fetc',
    'http://a.test/CON',
    'http://a.test/aux.html',
    `http://a.test/${'x'.repeat(1900)}`,
    'http://a.test/trailing.',
    'http://a.test/a:b*c?d="<>|',
  ])('is safe on every file system for %s', (text) => {
    const stem = snapshotStem(urlOf(text));
    expect(stem).toMatch(/^snapshots\/[0-9a-f]{2}\/[0-9a-f]{20}(-[a-z0-9]+)*$/);
    expect(basename(stem).length).toBeLessThanOrEqual(61);
  });

  it('differs where only the case differs, on file systems that fold case, too', () => {
    expect(snapshotStem(urlOf('http://a.test/A')).toLowerCase()).not.toBe(
      snapshotStem(urlOf('http://a.test/a')).toLowerCase(),
    );
  });

  it('repeats no token of the URL', () => {
    const stem = snapshotStem(urlOf('http://a.test/kept?token=geheim&page=2'));
    expect(stem).toContain('-kept-token-redacted-page-2');
    expect(stem).not.toContain('geheim');
  });

  it('stays below snapshots/ for any path', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (url, tail) => {
        const canonical = canonicalUrl(url + tail);
        if (canonical !== null)
          expect(snapshotStem(canonical)).toMatch(/^snapshots\/[0-9a-f]{2}\/[0-9a-f]{20}[a-z0-9-]*$/);
      }),
      { numRuns: 500 },
    );
  });
});
