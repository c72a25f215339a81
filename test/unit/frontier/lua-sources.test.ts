/** The frontier's Lua describes itself correctly: tables, arguments, records. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import * as partScripts from '../../../src/frontier/part-scripts.ts';
import * as exported from '../../../src/frontier/scripts.ts';

const folder = new URL('../../../src/frontier/lua/', import.meta.url);
const namesIn = (place: URL): readonly string[] =>
  readdirSync(place).flatMap((name) => /^(.*)\.lua$/.exec(name)?.[1] ?? []);
const parts = new URL('includes/', folder);
const sourceOf = (name: string, place: URL = folder): string => readFileSync(new URL(`${name}.lua`, place), 'utf8');

/** `FLUSH_DEFERRED` is flush-deferred.lua. */
const scripts = Object.entries({ ...exported, ...partScripts }).flatMap(([name, script]) =>
  typeof script === 'object' && 'run' in script
    ? [{ name: name.toLowerCase().replaceAll('_', '-'), args: [...script.args] as readonly string[] }]
    : [],
);

test('every file of Lua is a script or a part that is loaded', () => {
  expect(scripts.map(({ name }) => name).toSorted()).toEqual([...namesIn(folder)].toSorted());
  expect([...exported.PARTS].toSorted()).toEqual([...namesIn(parts)].toSorted());
});

describe('the header of', () => {
  it.each(scripts)('$name.lua names the arguments that TypeScript sends and the script reads', ({ name, args }) => {
    const [header = '', ...code] = sourceOf(name).split('\n\n');
    const listed = [...header.matchAll(/^-- {3}(\w+) +\S/gm)].map(([, arg = '']) => arg);
    const read = new Set([...code.join('\n\n').matchAll(/\bargs\.(\w+)/g)].map(([, arg = '']) => arg));
    expect(header).toContain(args.length === 0 ? '-- Arguments: none.' : '-- Arguments:\n');
    expect(header).toMatch(/^-- Reply: /m);
    expect([listed, [...read].toSorted()]).toEqual([args, [...args].toSorted()]);
  });

  it.each(scripts)('$name.lua says whether groups of URLs follow its arguments', ({ name }) => {
    const source = sourceOf(name);
    expect(source.includes('\n-- Rest: groups of URLs')).toBe(source.includes('admission.read_groups()'));
  });
});

describe('the part', () => {
  /** Names that a line declares for the whole part: `local a, b = …` and `local function c`. */
  const localsOf = (source: string): readonly string[] =>
    [...source.matchAll(/^local (?:function (\w+)|([\w, ]+))/gm)].flatMap(([, name, list = '']) =>
      name === undefined ? list.split(',').map((one) => one.trim()) : [name],
    );

  it.each(exported.PARTS)('%s adds to its own table and reads no argument by name', (part) => {
    const source = sourceOf(part, parts);
    const tables = [...source.matchAll(/^function (\w+)\./gm)].map(([, table]) => table);
    expect(new Set([...tables, part])).toEqual(new Set([part]));
    expect(source).not.toMatch(/\bargs\./);
  });

  it.each(exported.PARTS)('%s has few locals: Lua allows 200 in the whole library', (part) => {
    // in addition: the tables of all parts, and the eight names of every library
    expect(localsOf(sourceOf(part, parts)).length + exported.PARTS.length + 8).toBeLessThanOrEqual(50);
  });
});

test('no variable hides a part', () => {
  const hidden = [
    ...namesIn(folder).map((name) => ({ name, source: sourceOf(name) })),
    ...namesIn(parts).map((name) => ({ name: `includes/${name}`, source: sourceOf(name, parts) })),
  ].flatMap(({ name, source }) => {
    const declared = [
      ...source
        .replaceAll(/--.*/g, '')
        .matchAll(/\blocal ([\w, ]+)|\bfor ([\w, ]+) (?:in|=)|\bfunction [\w.]*\(([\w, ]*)\)/g),
    ];
    const names = declared.flatMap(([, ...lists]) => lists.join(',').split(/[ ,]+/));
    return names.filter((one) => exported.PARTS.includes(one)).map((one) => `${name}: ${one}`);
  });
  expect(hidden).toEqual([]);
});

test('every packed field of a record has a comment', () => {
  const fields = exported.PARTS.flatMap((part) =>
    [...sourceOf(part, parts).matchAll(/^--- {3}(\w+)(.*)$/gm)].map(([, field, comment = '']) => ({ field, comment })),
  );
  expect(fields.length).toBeGreaterThan(90);
  expect(fields.filter(({ comment }) => comment.trim() === '')).toEqual([]);
});
