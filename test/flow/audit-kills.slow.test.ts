/** Audits that are killed while they write: each file left is whole, and of one audit or the other. */
import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, prose, storeSite } from '../support/audited-site.ts';
import { runCommand } from '../support/command.ts';

const PAGES = 120;
const FLAGS = ['--external', 'none', '--reporter', 'html,json,junit,sarif,markdown'];

/** A site with a thousand findings, so that writing them takes time. */
function defects(): Readonly<Record<string, string>> {
  const links = Array.from({ length: PAGES }, (_, page) => `<a href="/page${page}">${page}</a>`).join(' ');
  const pages: Record<string, string> = { '/': documentOf(prose('All pages') + links, { title: 'All pages' }) };
  for (let page = 0; page < PAGES; page += 1) {
    const images = Array.from({ length: 10 }, (_, image) => `<img src="/${page}-${image}.png" width="9" height="9">`);
    const body = `<a href="/">Start</a>${prose(`Page ${page}`)}${images.join('')}`;
    pages[`/page${page}`] = documentOf(body, { title: `Page ${page}` });
  }
  return pages;
}

/** By path: the reports and the findings beside them. */
async function written(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(join(folder, 'report'))).map((name) => `report/${name}`);
  const files = ['findings.jsonl', ...names].filter((name) => !name.endsWith('.tmp'));
  return new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** Kills an audit when a matching file appears in a folder. @returns whether it was killed */
async function killedAt(folder: string, place: string, isMoment: (name: string) => boolean): Promise<boolean> {
  const watcher = watch(join(folder, place));
  const { child, ended } = runCommand(['audit', folder, ...FLAGS], folder);
  watcher.on('change', (_kind, name) => {
    if (isMoment(String(name))) child.kill('SIGKILL');
  });
  const { code } = await ended;
  watcher.close();
  return code === null;
}

describe('an audit that is killed', () => {
  it('leaves the reports of the audit before it, or its own, and none by half', async () => {
    await using site = await storeSite({ pages: defects() });
    const audit = async (...more: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const { code, output } = await runCommand(['audit', site.folder, ...FLAGS, ...more], site.folder).ended;
      expect(code, output).toBe(0);
      return written(site.folder);
    };
    const before = await audit('--rules', 'missing-title');
    expect(before.size).toBe(6);
    const killed: Readonly<Record<string, ReadonlyMap<string, string>>> = {
      findings: await (async () => {
        expect(await killedAt(site.folder, '.', (name) => /^findings.*\.tmp$/.test(name))).toBe(true);
        return written(site.folder);
      })(),
      first: await (async () => {
        expect(await killedAt(site.folder, 'report', (name) => name.endsWith('.tmp'))).toBe(true);
        return written(site.folder);
      })(),
      // the very last file has been begun
      last: await (async () => {
        expect(await killedAt(site.folder, 'report', (name) => /^summary.*\.tmp$/.test(name))).toBe(true);
        return written(site.folder);
      })(),
    };
    const after = await audit();
    for (const [moment, files] of Object.entries(killed)) {
      for (const [name, text] of files) {
        const whose = text === before.get(name) ? 'before' : text === after.get(name) ? 'after' : 'half';
        expect(`${moment} ${name}: ${whose}`).not.toContain('half');
      }
      expect(files.size).toBe(6);
    }
    expect(after.get('findings.jsonl')?.split('\n')).toHaveLength(PAGES * 10 + 1);
    // files begun by killed audits are gone
    const left = [...(await readdir(site.folder)), ...(await readdir(join(site.folder, 'report')))];
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
