/** Connections that leave by one address of this machine, and no other. */
import type { RequestListener } from 'node:http';
import { request } from 'undici';
import { describe, expect, it, test } from 'vitest';
import { requireOwnAddress } from '../../../src/egress/local-address.ts';
import { hearExchanges } from '../../support/heard-exchanges.ts';
import { httpOrigin } from '../../support/origin.ts';
import { secureOrigin } from '../../support/secure-origin.ts';
import { egressTo, names, rawToProxy, viaProxy } from './through-proxy.ts';
import { viaTunnel } from './through-tunnel.ts';

const LOCAL = '127.0.0.9';

/** Answers with the address of the client. */
const tellFrom: RequestListener = (asked, response) => void response.end(asked.socket.remoteAddress);

describe('with an egress address', () => {
  it('our own requests and those of a browser come from it', async () => {
    await using origin = await httpOrigin(tellFrom);
    await using egress = await egressTo([origin.port], { localAddress: LOCAL });
    const own = await request(`${origin.url}/`, { dispatcher: egress.dispatcher });
    expect(await own.body.text()).toBe(LOCAL);
    expect((await viaProxy(egress, `${origin.url}/`)).body.toString()).toBe(LOCAL);
  });

  it('so do tunnels, closed ones and those that are opened for an archive', async () => {
    await using origin = await secureOrigin(tellFrom);
    await using opened = await egressTo([origin.port], {
      localAddress: LOCAL,
      recorder: hearExchanges(),
      trusted: [origin.authority],
    });
    expect((await viaTunnel(opened, origin.url('/'))).body.toString()).toBe(LOCAL);
    await using plain = await httpOrigin(tellFrom);
    await using closed = await egressTo([plain.port], { localAddress: LOCAL });
    const { socket } = await rawToProxy(closed, `CONNECT 127.0.0.1:${plain.port} HTTP/1.1\r\n\r\n`);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toContain(LOCAL);
  });

  it('a folder that this process serves is reached all the same', async () => {
    await using origin = await httpOrigin(tellFrom);
    await using egress = await egressTo([origin.port], { localAddress: '::1', directPorts: [origin.port] });
    const { body } = await request(`${origin.url}/`, { dispatcher: egress.dispatcher });
    expect(await body.text()).toBe('127.0.0.1');
  });

  it('of a name with addresses of both families the one of its own is taken', async () => {
    await using origin = await httpOrigin(tellFrom);
    const resolver = names({ 'both.example': [['::1', '127.0.0.1']] });
    const grants = ['127.0.0.1', '::1'].map((cidr) => ({ cidr, port: origin.port }));
    await using egress = await egressTo([], { localAddress: LOCAL, resolver, grants });
    const { body } = await request(`http://both.example:${origin.port}/`, { dispatcher: egress.dispatcher });
    expect(await body.text()).toBe(LOCAL);
  });

  it.each([
    [LOCAL, '[::1]', 'an IPv6 address, and connections go out by the IPv4 address 127.0.0.9'],
    ['::1', '127.0.0.1', 'an IPv4 address, and connections go out by the IPv6 address ::1'],
  ])('%s nothing of the other family is reached by another one: %s', async (localAddress, host, why) => {
    const grants = ['127.0.0.1', '::1'].map((cidr) => ({ cidr, port: 8080 }));
    await using egress = await egressTo([], { localAddress, grants });
    const asked = request(`http://${host}:8080/`, { dispatcher: egress.dispatcher });
    await expect(asked).rejects.toThrow(why);
    expect(egress.lastFailure(host, 8080)).toMatchObject({ kind: 'failed', detail: expect.stringContaining(why) });
  });
});

describe('an address to go out by', () => {
  it.each(['127.0.0.1', '127.3.2.1'])('is accepted where the machine has it: %s', async (address) => {
    await expect(requireOwnAddress(address, 'egressAddress')).resolves.toBeUndefined();
  });

  test('is refused where it has it not, with those that it has', async () => {
    await expect(requireOwnAddress('192.0.2.9', 'egressAddress')).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(
        /^egressAddress: nothing can go out by 192\.0\.2\.9: .*\nAddresses here: .*127\.0\.0\.1/,
      ),
      data: { option: 'egressAddress', address: '192.0.2.9' },
    });
  });
});
