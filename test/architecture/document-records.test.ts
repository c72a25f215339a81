import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE_COLUMNS } from '../../src/inspect/export/column.ts';
import { classOfKind, LINK_KINDS } from '../../src/model/link-kinds.ts';
import { LINK_STAGES } from '../../src/model/link.ts';
import { RECORD_OUTCOMES, SKIP_REASONS } from '../../src/model/record.ts';

const documents = ['links', 'crawl-folder']
  .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');

/** The words in code spans in the first column of the table below a head line. */
function namesIn(head: string): readonly string[] {
  const rows =
    documents
      .slice(documents.indexOf(`${head}\n`))
      .split('\n\n')[0]
      ?.split('\n')
      .slice(2) ?? [];
  return rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name));
}

describe('docs/links.md and docs/crawl-folder.md', () => {
  it('name every kind of link and every reason to skip, and no other', () => {
    expect(namesIn('| kind | what it is |').toSorted()).toEqual([...LINK_KINDS].toSorted());
    const parts = documents.split('\n').find((line) => line.includes('| **parts**')) ?? '';
    const named = LINK_KINDS.filter((kind) => parts.includes(`\`${kind}\``));
    expect(named).toEqual(LINK_KINDS.filter((kind) => classOfKind(kind) === 'subresource'));
    expect(namesIn('| reason | the URL |').toSorted()).toEqual([...SKIP_REASONS].toSorted());
  });

  it('name every field of a line of links.jsonl, in its order, and every stage', () => {
    const fields = ['from', 'to', 'href', 'kind', 'confidence', 'context', 'stage', 'frame', 'text', 'rel', 'new'];
    expect(namesIn('| field | what it says |')).toEqual(fields);
    const stages = documents.split('\n').find((line) => line.startsWith('| `stage`'));
    for (const stage of LINK_STAGES) expect(stages).toContain(`\`${stage}\``);
  });

  it('name every field of a line of pages.jsonl, the parts of those that have any, and every outcome', () => {
    const head = '| field of pages.jsonl | what it says |';
    const fields = new Set(PAGE_COLUMNS.map(({ path: [field = ''] }) => field));
    expect(namesIn(head).toSorted()).toEqual([...fields].toSorted());
    const table = documents.slice(documents.indexOf(head)).split('\n\n')[0] ?? '';
    const ranks = documents.slice(documents.indexOf('`rank` in pages.jsonl is')).split('\n\n')[0] ?? '';
    for (const { path } of PAGE_COLUMNS)
      expect(path[0] === 'rank' ? ranks : table).toMatch(new RegExp(`[\`" ]${path[1] ?? path[0]}[\`"]`));
    for (const outcome of RECORD_OUTCOMES) expect(table).toContain(`\`${outcome}\``);
  });
});
