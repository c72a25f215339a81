/** Names of localhost, whose server may listen on 127.0.0.1 or on ::1. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { grantSeed } from '../../../src/crawl/opening/open-network.ts';
import type { AddressGrant, Egress } from '../../../src/egress/egress.ts';
import { HAS_IPV6 } from '../../support/ipv6.ts';
import { url as canonical } from '../../support/page.ts';
import { egressTo, names, rawToProxy, viaProxy } from './through-proxy.ts';

const signal = new AbortController().signal;

interface OwnServer extends AsyncDisposable {
  readonly port: number;
  readonly connections: () => number;
}

/** Answers with its own address. @param port 0 for any */
async function listening(address: string, port = 0): Promise<OwnServer> {
  let connections = 0;
  const server = createServer((_request, response) => void response.end(address));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(port, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const granted = (addresses: readonly string[], port: number | null): readonly AddressGrant[] =>
  addresses.map((cidr) => ({ cidr, port }));

async function answerOf(egress: Egress, url: string): Promise<string> {
  const { body } = await request(url, { dispatcher: egress.dispatcher });
  return await body.text();
}

describe.runIf(HAS_IPV6)('a name of localhost', () => {
  it.each(['localhost', 'app.localhost', 'LOCALHOST'])(
    'leads to the server on ::1 where none is on 127.0.0.1: %s',
    async (name) => {
      await using server = await listening('::1');
      await using egress = await egressTo([], { grants: granted(['127.0.0.1', '::1'], server.port) });
      const url = `http://${name}:${server.port}/`;
      expect(await answerOf(egress, url)).toBe('::1');
      expect((await viaProxy(egress, url)).body.toString()).toBe('::1');
      const tunnel = await rawToProxy(egress, `CONNECT ${name}:${server.port} HTTP/1.1\r\n\r\n`);
      expect(tunnel.head).toMatch(/^HTTP\/1\.1 200 /);
      tunnel.socket.destroy();
    },
  );

  it('leads to 127.0.0.1 first', async () => {
    await using server = await listening('127.0.0.1');
    await using other = await listening('::1', server.port);
    await using egress = await egressTo([], { grants: granted(['127.0.0.1', '::1'], server.port) });
    expect(await answerOf(egress, `http://localhost:${server.port}/`)).toBe('127.0.0.1');
    expect(other.connections()).toBe(0);
  });

  it.each([
    ['127.0.0.1', '::1'],
    ['::1', '127.0.0.1'],
  ])('leads to %s alone where only that is granted', async (own, foreign) => {
    await using other = await listening(foreign);
    await using egress = await egressTo([], { grants: granted([own], other.port) });
    await expect(answerOf(egress, `http://localhost:${other.port}/`)).rejects.toThrow('ECONNREFUSED');
    await using server = await listening(own, other.port);
    expect(await answerOf(egress, `http://localhost:${server.port}/`)).toBe(own);
    expect(other.connections()).toBe(0);
  });

  it('leads nowhere without a grant, nor to a closed port', async () => {
    await using server = await listening('::1');
    const url = `http://localhost:${server.port}/`;
    await using strict = await egressTo([]);
    expect((await viaProxy(strict, url)).headers['x-orbweaver-refused']).toContain('127.0.0.1 (loopback 127.0.0.0/8)');
    await using closing = await egressTo([], {
      grants: granted(['127.0.0.1', '::1'], null),
      closedPorts: [server.port],
    });
    expect((await viaProxy(closing, url)).headers['x-orbweaver-refused']).toContain('closed port');
    expect(server.connections()).toBe(0);
  });

  it('as a seed grants both of its addresses, at its port only', async () => {
    await using server = await listening('::1');
    await using other = await listening('::1');
    await using egress = await egressTo([]);
    await grantSeed(egress, canonical(`http://localhost:${server.port}/`), signal);
    expect(await answerOf(egress, `http://localhost:${server.port}/`)).toBe('::1');
    expect((await viaProxy(egress, `http://localhost:${other.port}/`)).status).toBe(403);
    expect(other.connections()).toBe(0);
  });

  it('is spaced as one address with [::1] and 127.0.0.1', async () => {
    await using egress = await egressTo([]);
    const found = await Promise.all(
      ['localhost', 'app.localhost', '[::1]', '127.0.0.1'].map((name) => egress.lookUp(name, signal)),
    );
    expect(found).toEqual(found.map(() => ({ kind: 'address', address: '127.0.0.1' })));
  });
});

describe('another name', () => {
  it('with an address of loopback that is not granted is refused as a whole', async () => {
    await using server = await listening('127.0.0.1');
    const resolver = names({ 'both.example': [['127.0.0.1', '::1']] });
    await using egress = await egressTo([server.port], { resolver });
    expect((await viaProxy(egress, `http://both.example:${server.port}/`)).status).toBe(403);
    expect(server.connections()).toBe(0);
  });

  it('fails as its server failed, where this machine has no way to the address after it', async () => {
    const { port } = await (async () => {
      await using gone = await listening('127.0.0.1');
      return gone;
    })();
    // no connection to a multicast address is begun, whatever ways there are
    const resolver = names({ 'both.example': [['127.0.0.1', 'ff0e::1']] });
    await using egress = await egressTo([], { resolver, grants: granted(['127.0.0.1', 'ff0e::1'], port) });
    expect((await viaProxy(egress, `http://both.example:${port}/`)).headers['x-orbweaver-error']).toBe('refused');
  });
});
