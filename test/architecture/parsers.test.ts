import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EXCEPTIONS } from '../support/growth/exceptions.ts';
import { PARSERS } from '../support/growth/parsers.ts';

const root = fileURLToPath(new URL('../../src', import.meta.url));

/** Modules that read text from pages and servers, and single files of modules that mostly do other things. */
const READERS = [
  'base',
  'model',
  'core',
  'egress',
  'fetch',
  'pipeline',
  'warc',
  'crawl-folder',
  'inspect/export',
  'replay',
  'compare/structured-lines.ts',
  'cli/terminal/safe-text.ts',
] as const;

/** In other modules, classes and async functions are shells around sockets and files; plain functions do the reading. */
const PURE = ['base', 'model', 'core'] as const;

/** `core/links/markup/srcset.ts#srcsetUrls` for each function, each class, and each constant that is a function, a class or a pattern. */
async function exportsOf(file: string): Promise<readonly string[]> {
  const text = await readFile(join(root, file), 'utf8');
  const isPure = PURE.some((room) => file.startsWith(`${room}/`));
  return [
    ...text.matchAll(isPure ? /^export (?:async )?(?:function\*? |class )(\w+)/gm : /^export function\*? (\w+)/gm),
    ...text.matchAll(/^export const (\w+)(?:: (?:RegExp|Rule)\b|[^=\n]*= (?:\/[^/*]|\(|async|function))/gm),
  ].map(([, name = '']) => `${file}#${name}`);
}

async function filesOf(reader: string): Promise<readonly string[]> {
  if (reader.endsWith('.ts')) return [reader];
  const names = await readdir(join(root, reader), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${reader}/${name}`);
}

const files = (await Promise.all(READERS.map(filesOf))).flat();
const exported = (await Promise.all(files.map(exportsOf))).flat();
const covered = PARSERS.flatMap(({ name, also = [] }) => [name, ...also]);
const measured = new Set(covered);
const excepted = Object.values(EXCEPTIONS).flat();

describe('the parsers of text from outside', () => {
  it('are all measured, or named with the reason why not', () => {
    const known = new Set([...measured, ...excepted]);
    expect(exported.filter((name) => !known.has(name))).toEqual([]);
    expect(exported.length).toBeGreaterThan(300);
  });

  it('are there: no name stands for nothing', () => {
    const there = new Set(exported);
    expect([...measured, ...excepted].filter((name) => !there.has(name))).toEqual([]);
  });

  it('are named once', () => {
    const names = [...covered, ...excepted];
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
