/** Runs the blocks of docs/ci.md as they stand, with the built program in place of the image. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { documentOf, prose } from '../support/audited-site.ts';

const MAIN = fileURLToPath(new URL('../../dist/bin/orbweaver.js', import.meta.url));
const IMAGE = 'registry.example.org/orbweaver';

const text = await readFile(new URL('../../docs/ci.md', import.meta.url), 'utf8');
/** Fenced blocks of a language below a heading. */
const blocksUnder = (heading: string, language: string): readonly string[] => {
  const section = text.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , block = '']) => block);
};
const [SHELL_STEP = ''] = blocksUnder('A check of every change', '');
const [GITHUB = '', CACHED = ''] = blocksUnder('GitHub Actions', 'yaml');
const [GITLAB = ''] = blocksUnder('GitLab CI', 'yaml');

const steps = z.array(z.object({ name: z.string().optional(), run: z.string().optional(), if: z.string().optional() }));
const github = z.object({ jobs: z.object({ audit: z.object({ steps }) }) }).parse(parse(GITHUB)).jobs.audit.steps;
const cached = steps.parse(parse(CACHED));
const gitlab = z
  .object({ audit: z.object({ script: z.array(z.string()), artifacts: z.object({ paths: z.array(z.string()) }) }) })
  .parse(parse(GITLAB)).audit;
const runOf = (all: z.infer<typeof steps>, name: string): string => all.find((step) => step.name === name)?.run ?? '';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-ci-'));
  const program = `exec "${process.execPath}" "${MAIN}" "$@"`;
  const tools = {
    orbweaver: `#!/bin/sh\n${program}\n`,
    // words before the name of the image are for Docker
    docker: `#!/bin/sh\nwhile [ "$1" != "${IMAGE}" ] && [ "$1" != orbweaver ]; do shift; done\nshift\n${program}\n`,
  };
  await mkdir(join(base, 'tools'));
  for (const [name, script] of Object.entries(tools)) {
    await writeFile(join(base, 'tools', name), script);
    await chmod(join(base, 'tools', name), 0o755);
  }
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** Runs a block as a CI system does. */
async function run(block: string, folder: string): Promise<{ readonly code: number | null; readonly output: string }> {
  // the pages need no browser; without one the test is faster
  const ways = {
    GITHUB_ACTIONS: undefined,
    ORBWEAVER_RENDER: 'never',
    GITHUB_STEP_SUMMARY: join(folder, 'step-summary.md'),
    NO_COLOR: '1',
  };
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', block], {
    cwd: folder,
    env: { ...process.env, ...ways, PATH: `${join(base, 'tools')}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

let project = '';
/** Enough pages that the coverage stays above the documents' threshold when one page is gone. */
const PAGES = Array.from({ length: 24 }, (_, page) => `page${page}.html`);
beforeEach(async () => {
  project = await mkdtemp(join(base, 'project-'));
  await mkdir(join(project, 'dist'));
  await build('<a href="old.html">Old</a>');
  for (const name of PAGES) {
    const page = documentOf(`<a href="/">Start</a>${prose(`About ${name}`)}`, { title: `About ${name}` });
    await writeFile(join(project, 'dist', name), page);
  }
});

/** Writes the first page with these links. */
function build(links: string): Promise<void> {
  const all = PAGES.map((name) => `<a href="${name}">${name}</a>`).join(' ');
  const page = documentOf(`${all} ${links}${prose('The harbour')}`, { title: 'The harbour' });
  return writeFile(join(project, 'dist/index.html'), page);
}
const WORSE = '<a href="old.html">Old</a> <a href="new.html">New</a>';

describe('the step that any CI takes', () => {
  it('fails for a defect, leaves its artifacts, accepts what the baseline has, and fails for what is new', async () => {
    const first = await run(SHELL_STEP, project);
    expect(first.code, first.output).toBe(1);
    const artifacts = ['index.html', 'junit.xml', 'results.sarif', 'summary.md'];
    expect((await readdir(join(project, 'audit/report'))).toSorted()).toEqual(artifacts);
    // as the document says: "Begin it once with --update-baseline"
    const begun = await run(`${SHELL_STEP.trimEnd()} --update-baseline`, project);
    expect(begun.code, begun.output).toBe(0);
    const second = await run(SHELL_STEP, project);
    expect(second.code, second.output).toBe(0);
    await build(WORSE);
    const third = await run(SHELL_STEP, project);
    expect(third.code, third.output).toBe(1);
    expect(third.output).toContain('/new.html');
    const summary = await readFile(join(project, 'audit/report/summary.md'), 'utf8');
    expect(summary.startsWith('<!-- orbweaver-audit -->\n')).toBe(true);
  });
});

describe('the workflow of GitHub Actions', () => {
  it('writes what its next steps read', async () => {
    const { code, output } = await run(runOf(github, 'Audit'), project);
    expect(code, output).toBe(1);
    const summary = await run(runOf(github, 'Summary'), project);
    expect(summary.code, summary.output).toBe(0);
    expect(await readFile(join(project, 'step-summary.md'), 'utf8')).toContain('<!-- orbweaver-audit -->');
    const places = [...GITHUB.matchAll(/(?:path|sarif_file): (audit\/\S+)/g)].map(([, place = '']) => place);
    expect(places).toEqual(['audit/report', 'audit/report/results.sarif']);
    expect(await readdir(join(project, 'audit/report'))).toContain('results.sarif');
  });

  it('counts a defect once where the last audit of the main branch is the baseline', async () => {
    // without a status function GitHub skips a step after one that failed
    const keeping = cached.filter((step) => step.if !== undefined);
    expect(keeping.map((step) => step.if?.includes('!cancelled()'))).toEqual([true, true]);
    const audit = runOf(cached, 'Audit');
    const keep = cached.find(({ run: command }) => command?.startsWith('rm -rf'))?.run ?? '';
    const first = await run(audit, project);
    expect(first.code, first.output).toBe(0);
    expect((await run(keep, project)).code).toBe(0);
    const second = await run(audit, project);
    expect(second.code, second.output).toBe(0);
    await build(WORSE);
    const third = await run(audit, project);
    expect(third.code, third.output).toBe(1);
    expect((await run(keep, project)).code).toBe(0);
    const fourth = await run(audit, project);
    expect(fourth.code, fourth.output).toBe(0);
  });
});

describe('the job of GitLab CI', () => {
  it('writes the report that it names', async () => {
    const { code, output } = await run(gitlab.script.join('\n'), project);
    expect(code, output).toBe(1);
    expect(gitlab.artifacts.paths).toEqual(['audit/report']);
    expect(GITLAB).toContain('junit: audit/report/junit.xml');
    expect(await readFile(join(project, 'audit/report/junit.xml'), 'utf8')).toContain('/old.html');
  });
});
