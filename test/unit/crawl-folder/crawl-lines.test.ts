import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonFieldText, linesHolding, type FoundLine } from '../../../src/crawl-folder/crawl-lines.ts';

async function allOf(lines: AsyncIterable<FoundLine>): Promise<readonly FoundLine[]> {
  const all: FoundLine[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function linesOf(content: string, needle: string): Promise<readonly FoundLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-lines-'));
  try {
    const path = join(folder, 'lines.jsonl');
    await writeFile(path, content);
    return await allOf(linesHolding(path, needle));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('lines that hold a text are found, whole and in order', async () => {
  const lines = await linesOf('{"a":1,"u":"x"}\n{"a":2,"u":"y"}\n{"u":"x","u":"x"}\n', jsonFieldText('u', 'x'));
  expect(lines.map(({ text }) => text)).toEqual(['{"a":1,"u":"x"}', '{"u":"x","u":"x"}']);
});

test('a last line that was torn by a crash is told as such, whatever it holds', async () => {
  expect(await linesOf('{"u":"x"}\n{"u":"y","b', jsonFieldText('u', 'x'))).toEqual([
    { text: '{"u":"x"}', torn: false },
    { text: '{"u":"y","b', torn: true },
  ]);
});

test('lines are found in a file of many pieces, wherever the borders of the pieces are', async () => {
  const numbered = Array.from(
    { length: 50_000 },
    (_, n) => `{"n":${n},"u":"${n % 1000 === 0 ? 'é' : 'z'}${'-'.repeat(n % 97)}"}`,
  );
  const found = await linesOf(`${numbered.join('\n')}\n`, 'é');
  expect(found.map(({ text }) => text)).toEqual(numbered.filter((line) => line.includes('é')));
});

test('an empty text is in every line, and empty lines are none', async () => {
  expect((await linesOf('a\n\nb\n', '')).map(({ text }) => text)).toEqual(['a', 'b']);
  expect(await linesOf('', '')).toEqual([]);
});

test('a file that is not there has no lines', async () => {
  expect(await allOf(linesHolding('/there/is/no/such.jsonl', 'x'))).toEqual([]);
});
