import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storeCrawl, type StoredCrawlFolder } from '../../support/stored-crawl.ts';
import { pageOf } from './fake-crawl.ts';
import { runFake } from './fake-shell.ts';

const HOSTILE = 'one\ttwo\r\nthree \u001b]0;owned\u0007 \u001b[31mred\u009b5n \u202eevil\n';
/** Start and end of a JPEG file, and bytes that are no UTF-8. */
const JPEG = Buffer.from([0xff, 0xd8, 0x00, 0x80, 0xff, 0xd9]);

async function stored(): Promise<StoredCrawlFolder> {
  const snapshot = {
    html: 'snapshots/3f/a.html',
    text: 'snapshots/3f/a.txt',
    screenshot: 'snapshots/3f/a.jpg',
    warc: null,
  };
  const crawl = await storeCrawl({ pages: [pageOf({ snapshot })] });
  await mkdir(join(crawl.folder, 'snapshots/3f'), { recursive: true });
  await writeFile(join(crawl.folder, snapshot.html), `<p>${HOSTILE}</p>`);
  await writeFile(join(crawl.folder, snapshot.text), HOSTILE);
  await writeFile(join(crawl.folder, snapshot.screenshot), JPEG);
  return crawl;
}

const show = ({ folder, base }: StoredCrawlFolder, flags: readonly string[], isTTY = false) =>
  runFake({ words: ['show', folder, '/a', ...flags], workingFolder: base, isTTY, variables: { NO_COLOR: '1' } });

describe('orbweaver show', () => {
  test.each([
    [[], HOSTILE],
    [['--text'], HOSTILE],
    [['--html'], `<p>${HOSTILE}</p>`],
  ])('with %j gives a program what was stored, byte by byte', async (flags, content) => {
    await using crawl = await stored();
    const { code, shell } = await show(crawl, flags);
    expect(code).toBe(0);
    expect(shell.outputText).toBe(Buffer.from(content).toString('latin1'));
    expect(shell.errorText).toBe('');
  });

  test.each([[[]], [['--html']]])('with %j gives a terminal nothing that it would obey', async (flags) => {
    await using crawl = await stored();
    const { code, shell } = await show(crawl, flags, true);
    expect(code).toBe(0);
    expect(shell.outputText).toMatch(/^(?:<p>)?one\ttwo\nthree {2}red evil\n(?:<\/p>\n)?$/);
  });

  test('gives a program the bytes of a screenshot, and a terminal its place and how to save it', async () => {
    await using crawl = await stored();
    const piped = await show(crawl, ['--screenshot']);
    expect(Buffer.from(piped.shell.outputText, 'latin1')).toEqual(JPEG);
    const { code, shell } = await show(crawl, ['--screenshot'], true);
    expect(code).toBe(0);
    expect(shell.outputText).toMatch(/^\.\/crawl-\w+\/snapshots\/3f\/a\.jpg\n$/);
    expect(shell.errorText).toMatch(/--screenshot > page\.jpg\n$/);
  });

  test.each(['show', 'explain'])(
    'of which %s is asked in the wrong order is answered with the right one',
    async (command) => {
      await using crawl = await stored();
      const words = [command, 'https://example.org/a', crawl.folder];
      const { code, shell } = await runFake({ words, workingFolder: crawl.base });
      expect(code).toBe(2);
      expect(shell.errorText).toContain('the crawl folder comes first, and then the URL [USAGE]');
      expect(shell.errorText).toContain(`orbweaver ${command} ${crawl.folder} https://example.org/a\n`);
    },
  );

  test.each([
    ['show', '/a'],
    ['explain', '/a'],
    ['links', '--orphans'],
    ['verify'],
    ['export', '--csv', 'x'],
    ['diff', 'new'],
    ['resume'],
    ['approve'],
  ])('a URL in place of the folder is called one by %s', async (command, ...others) => {
    const { code, shell } = await runFake({ words: [command, 'https://example.org/a', ...others] });
    expect(code).toBe(2);
    expect(shell.errorText).toContain(
      `https://example.org/a is a URL, and ${command} takes the folder of a crawl [USAGE]`,
    );
  });

  test('takes one of its flags at a time', async () => {
    await using crawl = await stored();
    const { code, shell } = await show(crawl, ['--html', '--text']);
    expect(code).toBe(2);
    expect(shell.errorText).toMatch(/--html.*cannot be used with.*--text|--text.*cannot be used with.*--html/);
  });

  test('of what was not stored prints nothing, says why and ends with code 2', async () => {
    await using crawl = await stored();
    const { code, shell } = await show(crawl, ['--headers']);
    expect({ code, output: shell.outputText }).toEqual({ code: 2, output: '' });
    expect(shell.errorText).toMatch(/the headers of https:\/\/example\.org\/a were not kept.*\[NOT_STORED\]/);
  });

  test('of a folder that holds no crawl ends with code 2', async () => {
    await using crawl = await stored();
    const { code, shell } = await runFake({ words: ['show', crawl.base, '/a'], workingFolder: '/' });
    expect(code).toBe(2);
    expect(shell.errorText).toContain('CRAWL_UNREADABLE');
  });
});
