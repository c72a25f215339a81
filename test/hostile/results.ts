/** Vitest's set-up of the hostile suite: gathers the results of all trials, and writes RESULTS.md at the end. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import type { Trial } from './try-fixture.ts';

const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url));

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-hostile-trials-'));
  project.provide('trials', folder);
  return async () => {
    const names = await readdir(folder);
    const trials = await Promise.all(
      names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Trial),
    );
    if (trials.length > 0) await writeResults(trials);
    await rm(folder, { recursive: true, force: true });
  };
}

/** Keeps the lines of fixtures that did not run this time. */
async function writeResults(trials: readonly Trial[]): Promise<void> {
  const before = await readFile(RESULTS, 'utf8').catch(() => '');
  const lines = new Map(
    before
      .split('\n')
      .filter((line) => /^\| [FH]\d/.test(line))
      .map((line) => [line.split('|')[1]?.trim() ?? '', line]),
  );
  for (const trial of trials) lines.set(trial.id, lineOf(trial));
  const table = [...lines].toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).map(([, line]) => line);
  const held = table.filter((line) => line.split('|')[3]?.trim() === 'yes').length;
  await writeFile(RESULTS, `${headWords(held, table.length)}\n${table.join('\n')}\n`);
}

function lineOf(trial: Trial): string {
  const round = (value: number | null): string => (value === null ? '–' : String(Math.round(value)));
  const held = trial.broken.length === 0 ? 'yes' : `no: ${trial.broken.join('; ')}`;
  const cells = [
    trial.id,
    trial.attack,
    cell(held),
    cell(trial.ended),
    round(trial.treePeak),
    round(trial.nodePeak),
    round(trial.longestBlock),
    trial.seconds.toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

function cell(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
    .replaceAll(/[|\n\r]/g, ' ')
    .slice(0, 300);
}

function revisionHere(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function headWords(held: number, all: number): string {
  const revision = revisionHere();
  const processor = cpus();
  const machine = `${processor.length} × ${processor[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;
  return `# The hostile suite

**${held} of ${all} fixtures held.** Written by \`npm run test:hostile\` on ${new Date().toISOString().slice(0, 10)} at revision ${revision};
${machine}; Node ${process.versions.node}. A line of a fixture that was not tried that time is older.

Each is tried by the real command twice: to the end, and interrupted in the middle. \`test/hostile/README.md\` says what is asked
of every crawl. Peaks are MiB: of all processes (proportional set size) and of the command's own (resident); the longest block is
the longest time in milliseconds for which the main loop stood still, without the time that it waited for a processor.

| id | attack | held | ended | peak, all | peak, node | longest block | seconds |
|---|---|---|---|---|---|---|---|`;
}
