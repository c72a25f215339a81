import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ProcessorMeter } from '../../../../src/base/process/processor-meter.ts';
import { until } from '../../../support/until.ts';

/** Starts a shell that does what it is told, line by line. */
async function startShell(): Promise<{ readonly pid: number; tell(line: string): void } & AsyncDisposable> {
  const child = spawn('sh', [], { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  return {
    pid: child.pid ?? 0,
    tell: (line) => void child.stdin.write(`${line}\n`),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end('kill $!\n');
      await once(child, 'exit');
    },
  };
}

describe.runIf(process.platform === 'linux')('the processor time of processes', () => {
  it('is that of a process and of all that it has started', async () => {
    await using shell = await startShell();
    const meter = new ProcessorMeter(shell.pid);
    expect([...meter.read().keys()]).toEqual([shell.pid]);
    shell.tell('while :; do :; done &');
    const used = (): number => [...meter.read()].reduce((sum, [pid, time]) => sum + (pid === shell.pid ? 0 : time), 0);
    await until(() => used() >= 0.05, 'time of the child');
    expect(meter.read().size).toBe(2);
  });

  it('is that of a child as well which a process starts late, at most ten looks after that', async () => {
    await using shell = await startShell();
    const meter = new ProcessorMeter(shell.pid);
    for (let look = 0; look < 12; look++) expect(meter.read().size).toBe(1);
    const fresh = new ProcessorMeter(shell.pid);
    shell.tell('sleep 60 &');
    await until(() => fresh.read().size === 2, 'the child');
    const sizes = Array.from({ length: 10 }, () => meter.read().size);
    expect(sizes.at(-1)).toBe(2);
    expect(Math.max(...sizes)).toBe(2);
  });

  it('is nothing where the process has ended', async () => {
    const child = spawn('true');
    const { pid = 0 } = child;
    await once(child, 'exit');
    expect(new ProcessorMeter(pid).read()).toEqual(new Map());
  });
});
