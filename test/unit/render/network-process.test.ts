import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { NetworkProcess } from '../../../src/render/network-process.ts';

it('is not forgotten where it ends while another look at it is under way', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const { pid = 0 } = child;
  let answer = (_pid: number): void => {};
  const answers = [
    new Promise<number>((resolve) => {
      answer = resolve;
    }),
    Promise.resolve(pid),
  ];
  const network = new NetworkProcess({ pid: process.pid, networkProcess: () => answers.shift() ?? Promise.resolve(1) });
  const slow = network.hasEnded();
  expect(await network.hasEnded()).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  answer(pid);
  expect(await slow).toBe(false);
  expect(await network.hasEnded()).toBe(true);
});
