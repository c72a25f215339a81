/** Screenshots of a site as a test: written, compared, masked, missing, new and of another size, with the real command. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { junitFaults } from '../support/junit-rules.ts';
import { runHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-site.ts';

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><style>body{margin:0;font:16px serif}#price{height:40px}</style>` +
  `<h1>${title}</h1><a href="/loom">Loom</a>${body}</html>`;
const SITE = {
  'index.html': page('Shop', '<p id="price">For 120</p>'),
  'loom.html': page('Loom', '<p id="ad">Buy one</p><p>Of oak</p>'),
  'expected.json': `{ "options": { "full-page": true, "viewport": ["400x300", "300x200"] }, "pages": {},
    "screenshots": { "masks": [{ "page": "/loom", "selector": "#ad" }] } }`,
};

test('screenshots are a part of what is expected: written by --update, and compared by pixels', async () => {
  await using site = await temporaryFolder(SITE);
  await using work = await temporaryFolder({});
  const run = (...words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> =>
    runHere(['test', site.path, ...words], work.path);
  const pictures = join(site.path, 'expected');
  const change = (name: keyof typeof SITE, from: string, to: string): Promise<void> =>
    writeFile(join(site.path, name), SITE[name].replace(from, to));

  expect(await run('--update')).toMatchObject({ code: 0 });
  const named = { first: 'index.png', '300x200': 'index.300x200.png' };
  expect(JSON.parse(await readFile(join(site.path, 'expected.json'), 'utf8'))).toMatchObject({
    screenshots: {
      masks: [{ page: '/loom', selector: '#ad' }],
      pages: { '/': named, '/loom': { first: 'loom.png', '300x200': 'loom.300x200.png' } },
    },
  });
  const written = ['index.300x200.png', 'index.png', 'loom.300x200.png', 'loom.png'];
  expect((await readdir(pictures)).toSorted()).toEqual(written);

  await change('loom.html', 'Buy one', 'Sell one'); // masked, so the picture is not written again
  const before = await readFile(join(pictures, 'loom.png'));
  expect(await run()).toMatchObject({ code: 0, output: expect.stringContaining('noise: screenshot “#ad” on /loom') });
  expect((await run('--update')).code).toBe(0);
  expect((await readFile(join(pictures, 'loom.png'))).equals(before)).toBe(true);

  await change('index.html', 'For 120', 'For 950');
  await change('loom.html', '</html>', '<div style="height:400px">More</div></html>');
  await rm(join(pictures, 'loom.300x200.png'));
  const files = ['--output', 'crawl', '--reporter', 'list,html,junit=test.xml'];
  const red = await run(...files);
  expect(red.code).toBe(1);
  const told = red.output.replaceAll(/\s+/g, ' ');
  expect(told).toMatch(/The picture changed: [\d.]+ % of the pixels, in #price; .* in the window of 300x200/);
  expect(told).toMatch(/it has 400 × \d+ pixels, and had 400 × 300/);
  expect(told).toContain('no picture is kept of /loom in the window of 300x200, as it should look: --update writes it');
  const junit = await readFile(join(work.path, 'test.xml'), 'utf8');
  expect(junitFaults(junit)).toEqual([]);
  expect(junit).toContain('unexpected-picture');
  expect(junit).toContain('in #price');
  const drawn = (await readdir(join(work.path, 'crawl/report/diff/pictures'))).toSorted();
  expect(drawn).toContain('1-before.png');
  expect(drawn).toContain('1-difference.png');
  expect(await readFile(join(work.path, 'crawl/report/diff/index.html'), 'utf8')).toContain('1-difference.png');

  // a page that is gone, with its pictures; and a picture that nothing expects
  await writeFile(join(site.path, 'index.html'), SITE['index.html'].replace('/loom', '/yarn'));
  await rm(join(site.path, 'loom.html'));
  await writeFile(join(site.path, 'yarn.html'), page('Yarn', ''));
  const gone = (await run()).output.replaceAll(/\s+/g, ' ');
  expect(gone).toContain('missing screenshot: the crawl took none of /loom');
  expect(gone).toContain('no picture is kept of /yarn, as it should look');
  expect((await run('--update')).code).toBe(0);
  expect((await readdir(pictures)).toSorted()).toEqual([
    'index.300x200.png',
    'index.png',
    'yarn.300x200.png',
    'yarn.png',
  ]);
  expect((await run()).code).toBe(0);
});

test('what expects screenshots and leaves them out is refused before anything is fetched', async () => {
  const expected = '{ "options": { "snapshot": "text" }, "pages": {}, "screenshots": {} }';
  await using site = await temporaryFolder({ ...SITE, 'expected.json': expected });
  const { code, output } = await runHere(['test', site.path], site.path);
  expect(code).toBe(2);
  expect(output).toContain('expected.json: options → snapshot leaves out screenshot, and screenshots are expected');
});
