import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

function textOf(name: string): string {
  return readFileSync(new URL(name, root), 'utf8');
}

/** Lines of prose: code, tables, comments and single long words may exceed the limit. */
function proseOf(text: string): readonly string[] {
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .filter((line) => !/^(?:\||<!--)/.test(line) && line.includes(' '));
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

test('README.md fits in 150 lines, and prose wraps at 100 columns', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(150);
  for (const name of documents)
    expect(
      proseOf(textOf(name)).filter((line) => line.length > 100),
      name,
    ).toEqual([]);
});

test('links between documents lead somewhere', () => {
  const broken = documents.flatMap((name) =>
    [...textOf(name).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(([, path = '', anchor]) => {
      const target = path === '' ? new URL(name, root) : new URL(path, new URL(name, root));
      if (!existsSync(target)) return [`${name}: ${path}`];
      const anchors = [...readFileSync(target, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        anchorOf(heading),
      );
      return anchor === undefined || anchors.includes(anchor) ? [] : [`${name}: ${path}#${anchor}`];
    }),
  );
  expect(broken).toEqual([]);
});
