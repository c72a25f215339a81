/** Files that a killed crawl leaves in the folder for temporary files. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { httpOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

it('the profile of a killed crawl is removed by the next run, that of a running one is not', async () => {
  const base = await mkdtemp(join(tmpdir(), 'orbweaver-left-'));
  await chmod(base, 0o755); // the browser may run as another user
  const hanging: ServerResponse[] = [];
  let isSlow = true;
  const answer = (response: ServerResponse, title: string): void =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${title}</title>`);
  await using origin = await httpOrigin(({ url = '' }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end();
    else if (url === '/quick' || !isSlow) answer(response, 'quick');
    else hanging.push(response);
  });
  const crawl = (path: string, name: string): ReturnType<typeof runCommand> =>
    runCommand(['crawl', `${origin.url}${path}`, '--render', 'always', '-o', join(base, name)], base, { TMPDIR: base });
  const profiles = async (): Promise<readonly string[]> =>
    (await readdir(base)).filter((name) => name.startsWith('orbweaver-browser-')).toSorted();
  const of = ({ child }: ReturnType<typeof runCommand>): RegExp => new RegExp(`^orbweaver-browser-\\w+-${child.pid}-`);

  const killed = crawl('/slow', 'killed');
  const running = crawl('/slow', 'running');
  try {
    await until(async () => (await profiles()).length === 2, `two browsers: ${killed.output()} ${running.output()}`);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await profiles()).toHaveLength(2);
    const next = await crawl('/quick', 'next').ended;
    expect(next.code, next.output).toBe(0);
    expect(await profiles()).toEqual([expect.stringMatching(of(running))]);
    isSlow = false;
    for (const response of hanging) answer(response, 'slow');
    await running.ended;
    expect(await profiles()).toEqual([]);
  } finally {
    killed.child.kill('SIGKILL');
    running.child.kill('SIGKILL');
    await Promise.all([killed.ended, running.ended]);
    await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
});
