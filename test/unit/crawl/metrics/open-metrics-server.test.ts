import { expect, it } from 'vitest';
import { milliseconds } from '../../../../src/base/units.ts';
import { openMetricsServer } from '../../../../src/crawl/metrics/open-metrics-server.ts';
import { freePort } from '../../../support/redis-server.ts';

const gauge = { name: 'g', help: 'h', type: 'gauge', samples: [{ value: 1 }] } as const;

it('figures and health are shown on loopback, and nothing else is', async () => {
  const port = await freePort();
  let ill: string | null = null;
  let fails = false;
  const metrics = async (): Promise<readonly (typeof gauge)[]> => {
    if (fails) throw new Error('redis://user:password@host');
    return [gauge];
  };
  await using _server = await openMetricsServer(String(port), { illness: () => ill, metrics });
  const ask = async (path: string): Promise<readonly unknown[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, answer.headers.get('content-type'), await answer.text()];
  };
  expect(await ask('/metrics')).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    expect.stringMatching(/^g 1$/m),
  ]);
  expect(await ask('/healthz')).toEqual([200, expect.any(String), 'ok\n']);
  ill = 'leads nothing';
  fails = true;
  expect((await ask('/healthz'))[0]).toBe(503);
  expect(await ask('/metrics')).toEqual([503, expect.any(String), 'Redis does not answer\n']);
  expect((await ask('/'))[0]).toBe(404);
  await expect(openMetricsServer(`127.0.0.1:${port}`, { illness: () => null, metrics })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(`127.0.0.1:${port} (EADDRINUSE)`),
  });
});

it('figures that do not come, as while Redis is away, are answered with 503', async () => {
  const port = await freePort();
  const metrics = (): Promise<readonly (typeof gauge)[]> => new Promise(() => {});
  await using _server = await openMetricsServer(String(port), {
    illness: () => null,
    metrics,
    limit: milliseconds(50),
  });
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([503, 'Redis does not answer\n']);
});
