/** Folders that are a part of a site: their first page links to files above them, which are not served. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { silentLog } from '../../../src/base/log.ts';
import { openSiteServer } from '../../../src/site-server/open-site-server.ts';
import { temporaryFolder } from '../../support/temporary-site.ts';

const FILES = { 'settings.html': '', 'std/index.html': '', 'core/index.html': '', 'book/std/page.html': '' };

async function aboveOf(part: string, markup: string): Promise<{ reference: string; folder: string } | null> {
  await using site = await temporaryFolder({ ...FILES, [`${part}/index.html`]: `<!doctype html>${markup}` });
  await using server = await openSiteServer(join(site.path, part), { port: 0, address: '127.0.0.1' }, silentLog);
  if (server.above === null) return null;
  return { ...server.above, folder: server.above.folder.replace(site.path, '.') };
}

describe('a folder whose first page links above it', () => {
  test.each([
    ['to a page', 'std', '<a href="../settings.html?a=1#b">s</a>', '../settings.html', '.'],
    ['to a folder', 'std', '<a href=../core/>core</a>', '../core/', '.'],
    ['to a folder without its slash', 'std', "<a href='./../core'>core</a>", './../core', '.'],
    ['with a script', 'std', '<a href="a.html">a</a><script src="../settings.html"></script>', '../settings.html', '.'],
    [
      'from further below, and by two ways',
      'book/std',
      '<a href="../std/page.html">p</a><a href="../../core/">c</a>',
      '../std/page.html',
      '.',
    ],
  ])('%s: the link, and the folder that has both', async (_name, part, markup, reference, folder) => {
    expect(await aboveOf(part, markup)).toEqual({ reference, folder });
  });

  test.each([
    ['to a file that is nowhere', '<a href="../none.html">n</a>'],
    ['with links within it', '<a href="index.html">i</a><a href="a/../index.html">i</a><a href="/settings.html">s</a>'],
    ['with a base of its own', '<base href="/guide/"><a href="../settings.html">s</a>'],
    ['in a comment', '<!-- <a href="../settings.html">s</a> -->'],
    ['to a hidden name', '<a href="../.git/config">s</a>'],
  ])('%s: says nothing', async (_name, markup) => {
    expect(await aboveOf('std', markup)).toBeNull();
  });
});
