import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { junitFaults } from '../support/junit-rules.ts';
import { runHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-site.ts';

const PROSE = 'It is made of oak from the hills behind the town, and a weaver who has used it once wants no other. ';

/** A shop as of one build. @param legal the name of a page */
function shop(price: string, legal: string, build: string): Record<string, string> {
  const page = (title: string, body: string): string =>
    `<!doctype html><html lang="en"><head><title>${title}</title><script src="/app.${build}.js" defer></script></head>` +
    `<body><nav><a href="/">Shop</a> <a href="/loom">Loom</a> <a href="/${legal}">Imprint</a></nav><main><h1>${title}</h1>` +
    `${body}<p>Built on 2026-11-2${build.length % 10} at 10:0${build.length % 7}, ${build.length * 37} views</p></main></body></html>`;
  return {
    'index.html': page('Shop', `<p>Looms and yarn. ${PROSE}</p>`),
    'loom.html': page('Loom', `<p>A loom, for ${price} euro. ${PROSE.repeat(2)}</p>`),
    [`${legal}.html`]: page('Imprint', `<p>The guild of weavers answers for this shop. ${PROSE.repeat(3)}</p>`),
    [`app.${build}.js`]: 'document.title;',
  };
}

/** A pull request as in docs/regression.md, from red to approved. */
test('a site is crawled, approved, changed, compared, and approved in parts', async () => {
  await using old = await temporaryFolder(shop('1200', 'imprint', '3f9a1c02'));
  await using now = await temporaryFolder(shop('1250', 'legal', '77aa01bc9'));
  await using work = await temporaryFolder({});
  const run = (...words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> =>
    runHere(words, work.path);
  const crawling = ['--render', 'never', '--no-progress', '--audit'];
  expect(await run('crawl', old.path, '-o', 'main', ...crawling, '--learn-noise', '--quiet')).toMatchObject({
    code: 0,
  });
  expect(await readdir(work.path)).toEqual(['main']); // the second crawl is removed
  expect((await run('approve', 'main', '--to', 'baseline')).code).toBe(0);

  const same = await run('crawl', old.path, '-o', 'again', ...crawling, '--against', 'baseline');
  expect(same).toMatchObject({ code: 0, output: expect.stringContaining('0 differences on 3 compared pages') });

  const red = await run(
    'crawl',
    now.path,
    '-o',
    'new',
    ...crawling,
    '--against',
    'baseline',
    '--reporter',
    'list,junit,html',
  );
  expect(red.code).toBe(1);
  expect(red.output).toContain('for [-1200-] {+1250+} euro.');
  expect(red.output).toContain('/imprint is at /legal now; the old address does not redirect there');
  expect(red.output).toContain('2 differences: 2 warnings.');
  const junit = await readFile(join(work.path, 'new/report/diff/junit.xml'), 'utf8');
  expect(junitFaults(junit)).toEqual([]);
  expect(await readFile(join(work.path, 'new/report/diff/index.html'), 'utf8')).toContain('Changes of 127.0.0.1');

  expect((await run('approve', 'new', '--to', 'baseline', '--only', '/loom')).code).toBe(0);
  const left = await run('diff', 'baseline', 'new', '--reporter', 'json=-', '--fail-on', 'changed:text,removed-page:0');
  expect(left).toMatchObject({ code: 0 });
  expect(JSON.parse(left.output)).toMatchObject({ findings: [{ rule: 'moved-page' }], against: { kind: 'baseline' } });
  expect((await run('diff', 'baseline', 'new', '--fail-on', 'moved-page')).code).toBe(1);
  expect((await run('approve', 'new', '--to', 'baseline')).code).toBe(0);
  expect((await run('diff', 'baseline', 'new')).code).toBe(0);
});

test('a folder is a test by its expected.json, which is written from what is there', async () => {
  await using site = await temporaryFolder(shop('1200', 'imprint', '3f9a1c02'));
  await using work = await temporaryFolder({});
  const run = (...words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> =>
    runHere(['test', site.path, ...words], work.path);
  const expected = join(site.path, 'expected.json');
  await writeFile(expected, '{ "options": { "render": "never" }, "pages": {}, "findings": [] }');
  expect((await run('--update')).code).toBe(0);
  const written = await readFile(expected, 'utf8');
  expect(JSON.parse(written)).toMatchObject({
    options: { render: 'never' },
    pages: { '/': { outcome: 'captured', title: 'Shop' }, '/loom': { outcome: 'captured', title: 'Loom' } },
    findings: expect.arrayContaining([{ rule: 'missing-description', page: '/' }]),
  });
  expect((await run()).code).toBe(0);
  await writeFile(expected, written.replace('"Loom"', '"The loom"'));
  const red = await run('--reporter', 'list,junit=test.xml');
  expect(red.code).toBe(1);
  expect(red.output).toContain('wrong title of /loom: "Loom" instead of "The loom"');
  expect(junitFaults(await readFile(join(work.path, 'test.xml'), 'utf8'))).toEqual([]);
  expect(await readdir(work.path)).toEqual(['test.xml']);
});
