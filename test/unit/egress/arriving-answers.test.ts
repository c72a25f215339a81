import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { httpOrigin } from '../../support/origin.ts';
import { egressTo, viaProxy } from './through-proxy.ts';

describe('an answer on its way to a browser', () => {
  test('arrives until its server has sent all of it, head or not', async () => {
    let take: (response: ServerResponse) => void = () => {};
    const asked = new Promise<ServerResponse>((resolve) => (take = resolve));
    await using origin = await httpOrigin((_request, response) => take(response));
    await using egress = await egressTo([origin.port]);
    const url = `${origin.url}/slow?page=1`;
    expect(egress.bodyArrives(url)).toBe(false);
    const reply = viaProxy(egress, url);
    const response = await asked;
    expect(egress.bodyArrives(`${url}#part`)).toBe(true);
    response.write('begun');
    await expect.poll(() => egress.bodyArrives(url)).toBe(true);
    expect(egress.bodyArrives(`${origin.url}/slow?page=2`)).toBe(false);
    response.end(' and ended');
    expect((await reply).body.toString()).toBe('begun and ended');
    await expect.poll(() => egress.bodyArrives(url)).toBe(false);
  });

  test('arrives no more when its server breaks off', async () => {
    let take: (response: ServerResponse) => void = () => {};
    const asked = new Promise<ServerResponse>((resolve) => (take = resolve));
    await using origin = await httpOrigin((_request, response) => take(response));
    await using egress = await egressTo([origin.port]);
    const reply = viaProxy(egress, `${origin.url}/`).catch(() => null);
    const response = await asked;
    const closed = once(response, 'close');
    response.socket?.destroy();
    await Promise.all([closed, reply]);
    await expect.poll(() => egress.bodyArrives(`${origin.url}/`)).toBe(false);
  });

  test('of https is not known where tunnels stay closed', async () => {
    await using egress = await egressTo([]);
    expect(egress.bodyArrives('https://example.org/api')).toBeNull();
  });
});
