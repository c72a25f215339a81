/** What ARCHITECTURE.md promises under "Safety of the renderer", seen from outside: by the processes of the browser. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FixtureServer } from './fixture-server.ts';
import { openBench, type Bench } from './render-bench.ts';

const ON_LINUX = process.platform === 'linux';

test.runIf(ON_LINUX)('pages of two registrable domains are in two renderer processes', async () => {
  await using site = await FixtureServer.open({ '/': '<title>t</title>' });
  await using bench = await openBench({ workers: 2 });
  await bench.capture(site.url('/', 'one.localhost'));
  const first = renderersOf(bench);
  expect(first).toHaveLength(1);
  await bench.capture(site.url('/', 'two.localhost'));
  const both = renderersOf(bench);
  expect(both).toHaveLength(2);
  expect(both).toContain(first[0]);
  await bench.capture(site.url('/', 'one.localhost'));
  expect(renderersOf(bench)).toEqual(both);
});

test.runIf(ON_LINUX)('the process of a domain ends when its page is given to another', async () => {
  await using site = await FixtureServer.open({ '/': '<title>t</title>' });
  await using bench = await openBench({ workers: 1 });
  await bench.capture(site.url('/', 'one.localhost'));
  const before = renderersOf(bench);
  expect(before).toHaveLength(1);
  await bench.capture(site.url('/', 'two.localhost'));
  await expect.poll(() => renderersOf(bench).some((pid) => before.includes(pid))).toBe(false);
});

test.runIf(ON_LINUX)(
  'renderers are in the sandbox: no privileges, filtered system calls, their own process tree',
  async () => {
    await using site = await FixtureServer.open({ '/': '<title>t</title>' });
    await using bench = await openBench();
    await bench.capture(site.url('/'));
    const renderers = renderersOf(bench);
    expect(renderers).toHaveLength(1);
    for (const pid of renderers) {
      const status = statusOf(pid);
      expect(status).toMatchObject({ CapEff: '0000000000000000', NoNewPrivs: '1', Seccomp: '2' });
      expect(status['Uid']?.split('\t')).not.toContain('0');
      expect(status['NSpid']?.split('\t').length).toBeGreaterThan(1);
    }
  },
);

/** Process ids of the renderers below a bench's browser, in order. */
function renderersOf({ renderer }: Bench): number[] {
  const below = new Set([renderer.stats().browserPid]);
  // a child has a higher number than its parent until the numbers have gone round: look until nothing more is found
  for (let known = 0; known !== below.size;) {
    known = below.size;
    for (const pid of processes()) if (below.has(Number(statusOf(pid)['PPid']))) below.add(pid);
  }
  return processes().filter((pid) => below.has(pid) && textOf(`/proc/${pid}/cmdline`).includes('--type=renderer'));
}

function processes(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function statusOf(pid: number): Readonly<Record<string, string>> {
  const lines = textOf(`/proc/${pid}/status`).split('\n');
  return Object.fromEntries(lines.map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 1).trim()]));
}

/** Empty where the process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
