import { request } from 'undici';
import { describe, expect, test } from 'vitest';

import { createNotes } from '../../../src/crawl/summary/notes.ts';
import { privateAddressNote } from '../../../src/crawl/summary/private-address-note.ts';
import { grantSeed } from '../../../src/crawl/opening/open-network.ts';
import type { NameResolver } from '../../../src/egress/gate/dns-cache.ts';
import { url as canonical } from '../../support/page.ts';
import { httpOrigin, rawOrigin } from '../../support/origin.ts';
import { egressTo, names, rawToProxy, viaProxy } from './through-proxy.ts';

const signal = new AbortController().signal;

describe('a seed', () => {
  const inside = ['169.254.169.254', '10.0.0.1', '[64:ff9b::a9fe:a9fe]'];

  test.each([
    ['a private address', 'intranet.example', [['10.0.0.1']], 'allowed'],
    ['a metadata service', 'site.example', [['169.254.169.254']], 'blocked'],
    ['one behind a translator', 'site.example', [['64:ff9b::a9fe:a9fe']], 'blocked'],
    ['one in the form of IPv6', 'site.example', [['::ffff:169.254.169.254']], 'blocked'],
    ['one beside a public address', 'site.example', [['1.1.1.1', '169.254.169.254']], 'blocked'],
    ['a metadata service by its name', 'metadata.google.internal', [['169.254.169.254']], 'blocked'],
    ['a metadata service by its address', '169.254.169.254', [], 'allowed'],
  ])(
    'that leads to %s is granted its address, unless a name leads to credentials',
    async (_what, name, answers, kind) => {
      await using egress = await egressTo([], { resolver: names({ [name]: answers }) });
      await grantSeed(egress, canonical(`http://${name}/`), signal);
      expect(await egress.check(name, 80, signal)).toMatchObject({ kind });
      if (kind === 'blocked')
        for (const address of inside) expect(await egress.check(address, 80, signal)).toMatchObject({ kind });
    },
  );
});

describe('a refusal', () => {
  test('is a 403 that names the range, and the origin hears nothing', async () => {
    await using canary = await rawOrigin(() => {});
    await using egress = await egressTo([]);
    const reply = await viaProxy(egress, `http://127.0.0.1:${canary.port}/`);
    expect(reply.status).toBe(403);
    expect(reply.headers['x-orbweaver-refused']).toBe(`127.0.0.1:${canary.port} is 127.0.0.1 (loopback 127.0.0.0/8)`);
    expect(canary.connections()).toBe(0);
    expect(egress.counts()).toMatchObject({ refused: 1 });
    expect(egress.lastFailure('127.0.0.1', canary.port)).toMatchObject({ kind: 'blocked' });
    expect(egress.lastFailure('127.0.0.1', canary.port + 1)).toBeNull();
  });

  test('is told with its cure, five times at most, where a neighbour is granted: an application has several servers', async () => {
    const notes = createNotes();
    const onRefusedNear = privateAddressNote(notes);
    await using site = await egressTo([9000], { onRefusedNear });
    for (const endpoint of ['127.0.0.1:4000', '127.0.0.1:4000', 'localhost:4001', '[::ffff:7f00:1]:4002', '10.0.0.1'])
      await viaProxy(site, `http://${endpoint}/`);
    expect(notes.all).toEqual(
      ['127.0.0.1:4000', 'localhost:4001', '[::ffff:7f00:1]:4002'].map(
        (endpoint) =>
          `requests to ${endpoint} are stopped, a private address that no seed has: --allow-private ${endpoint} lets them through`,
      ),
    );
    for (const port of [4003, 4004, 4005, 4006]) await viaProxy(site, `http://127.0.0.1:${port}/`);
    expect(notes.all).toHaveLength(5);
  });

  test('is no matter of the user where nothing private is granted', async () => {
    const told: string[] = [];
    await using site = await egressTo([], { onRefusedNear: (name) => told.push(name) });
    expect((await viaProxy(site, 'http://127.0.0.1:4000/')).status).toBe(403);
    expect(told).toEqual([]);
  });

  test.each([
    ['100.64.0.9', '100.100.100.200'],
    ['169.254.1.1', '169.254.169.254'],
    ['fd00::9', '[fd00:ec2::254]'],
  ])('tells nobody how to open a metadata service, which hands out credentials, beside %s', async (cidr, service) => {
    const told: string[] = [];
    const onRefusedNear = (name: string): number => told.push(name);
    await using site = await egressTo([], { grants: [{ cidr, port: 80 }], onRefusedNear });
    expect((await viaProxy(site, `http://${service}/`)).status).toBe(403);
    expect(told).toEqual([]);
    await viaProxy(site, `http://${cidr.includes(':') ? `[${cidr}]` : cidr}:81/`);
    expect(told).toEqual([cidr]);
  });

  test.each([
    'localhost',
    '0',
    '0x7f.1',
    '2130706433',
    '①②⑦.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[::127.0.0.1]',
    '10.0.0.1',
    '169.254.169.254',
    '[fd00::1]',
    'metadata.google.internal',
  ])('meets http://%s/, with and without CONNECT', async (host) => {
    await using canary = await rawOrigin(() => {});
    await using egress = await egressTo([]);
    const { hostname } = new URL(`http://${host}/`);
    const plain = await viaProxy(egress, `http://${hostname}:${canary.port}/`);
    expect([plain.status, plain.headers['x-orbweaver-refused']]).toEqual([403, expect.stringContaining('(')]);
    const tunnel = await rawToProxy(egress, `CONNECT ${hostname}:${canary.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(tunnel.head).toMatch(/^HTTP\/1.1 403 [^]*x-orbweaver-refused: /);
    expect(canary.connections()).toBe(0);
  });

  test('meets every hop of a redirect anew', async () => {
    await using canary = await rawOrigin(() => {});
    await using origin = await httpOrigin((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/secret` }).end();
    });
    await using egress = await egressTo([origin.port]);
    const hop = await viaProxy(egress, `${origin.url}/`);
    expect(hop.status).toBe(302);
    expect((await viaProxy(egress, String(hop.headers.location))).status).toBe(403);
    expect(canary.connections()).toBe(0);
  });

  test('meets the proxy itself, in whatever form it is named', async () => {
    await using egress = await egressTo([], {
      grants: [
        { cidr: '127.0.0.0/8', port: null },
        { cidr: '0.0.0.0', port: null },
      ],
    });
    const { port } = new URL(egress.proxyUrl);
    for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '127.1.2.3']) {
      expect((await viaProxy(egress, `http://${host}:${port}/`)).status).toBe(403);
      const { head } = await rawToProxy(egress, `CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`);
      expect(head).toMatch(/^HTTP\/1.1 403 /);
    }
    expect((await viaProxy(egress, '/')).status).toBe(400);
  });

  test('meets our own closed ports though they are granted', async () => {
    await using redis = await rawOrigin(() => {});
    await using egress = await egressTo([redis.port], { closedPorts: [redis.port] });
    expect((await viaProxy(egress, `http://127.0.0.1:${redis.port}/`)).status).toBe(403);
    await expect(request(`http://127.0.0.1:${redis.port}/`, { dispatcher: egress.dispatcher })).rejects.toThrow(
      'closed port',
    );
    expect(redis.connections()).toBe(0);
  });

  test.each([
    'https://1.1.1.1/',
    'ftp://1.1.1.1/',
    'file:///etc/passwd',
    'http:///x',
    'http://',
    '*',
    'http://[::1/',
    'http://user@1.1.1.1/',
    'http://10.0.0.1:80\\@1.1.1.1/',
  ])('meets the target %s, which is not for a proxy', async (target) => {
    await using egress = await egressTo([]);
    const { head } = await rawToProxy(egress, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(head === '' || head.startsWith('HTTP/1.1 400 ')).toBe(true);
  });

  test.each([
    'example.org',
    'user@example.org:443',
    'example.org:443/x',
    ':443',
    'example.org:99999',
    '[::1:443',
    'a b:443',
  ])('meets CONNECT %s, which names no host and port that could be had', async (target) => {
    const resolver = names({ 'example.org': [['1.1.1.1']] });
    await using egress = await egressTo([], { resolver });
    const { head } = await rawToProxy(egress, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(head === '' || /^HTTP\/1.1 40[03] /.test(head)).toBe(true);
  });

  test('ends when a grant is added', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    await using egress = await egressTo([]);
    expect((await viaProxy(egress, `${origin.url}/`)).status).toBe(403);
    egress.grant({ cidr: '127.0.0.1', port: origin.port });
    expect((await viaProxy(egress, `${origin.url}/`)).status).toBe(200);
  });
});

describe('a name', () => {
  test('whose look-up got no answer is looked up again for the next try of a visit', async () => {
    const asked: string[] = [];
    const resolver: NameResolver = {
      resolve: async (name) => {
        asked.push(name);
        if (asked.length === 1) throw new Error('ESERVFAIL');
        return await Promise.resolve({ kind: 'addresses', addresses: ['1.1.1.1'], ttl: null });
      },
    };
    await using egress = await egressTo([], { resolver });
    expect(await egress.check('back.example', 80, signal)).toMatchObject({ kind: 'unresolvable' });
    expect(await egress.check('back.example', 80, signal)).toMatchObject({ kind: 'allowed' });
    expect(asked).toHaveLength(2);
  });

  test('is resolved once and pinned, whatever the DNS says later (rebinding)', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    const resolver = names({ 'rebind.example': [['127.0.0.1'], ['10.0.0.1']] });
    await using egress = await egressTo([origin.port], { resolver });
    for (let index = 0; index < 3; index += 1) {
      expect((await viaProxy(egress, `http://rebind.example:${origin.port}/`)).status).toBe(200);
    }
    expect(resolver.asked).toEqual(['rebind.example']);
  });

  test('that answers publicly first and with loopback later never gets to loopback', async () => {
    await using canary = await rawOrigin(() => {});
    const resolver = names({ 'rebind.example': [['203.0.113.1', '127.0.0.1'], ['127.0.0.1']] });
    await using egress = await egressTo([], { resolver });
    expect((await viaProxy(egress, `http://rebind.example:${canary.port}/`)).status).toBe(403);
    expect((await viaProxy(egress, `http://rebind.example:${canary.port}/`)).status).toBe(403);
    expect(canary.connections()).toBe(0);
  });

  test('with a public and a private address is refused whole', async () => {
    await using egress = await egressTo([], { resolver: names({ 'mixed.example': [['1.1.1.1', '10.0.0.1']] }) });
    expect(await egress.check('mixed.example', 80, signal)).toEqual({
      kind: 'blocked',
      address: '10.0.0.1',
      range: 'private 10.0.0.0/8',
    });
  });

  test('with public addresses alone is allowed with all of them', async () => {
    await using egress = await egressTo([], { resolver: names({ 'far.example': [['1.1.1.1', '2606:4700::1']] }) });
    expect(await egress.check('far.example', 443, signal)).toEqual({
      kind: 'allowed',
      addresses: ['1.1.1.1', '2606:4700::1'],
    });
  });

  test('with a dead and a living address is connected to at the living one', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('ok'));
    const resolver = names({ 'two.example': [['127.0.0.2', '127.0.0.1']] });
    await using egress = await egressTo([origin.port], {
      resolver,
      grants: [{ cidr: '127.0.0.0/8', port: origin.port }],
    });
    expect((await viaProxy(egress, `http://two.example:${origin.port}/`)).status).toBe(200);
  });

  test('that does not resolve is a 502 with the reason dns, and is remembered', async () => {
    await using egress = await egressTo([]);
    const reply = await viaProxy(egress, 'http://nowhere.example/');
    expect([reply.status, reply.headers['x-orbweaver-error']]).toEqual([502, 'dns']);
    const { head } = await rawToProxy(egress, 'CONNECT nowhere.example:443 HTTP/1.1\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 502 [^]*x-orbweaver-error: dns\r\n/);
    expect(egress.lastFailure('NOWHERE.example.', 443)).toEqual({
      kind: 'failed',
      failure: 'dns',
      detail: 'ENOTFOUND nowhere.example',
    });
    expect(await egress.check('nowhere.example', 80, signal)).toMatchObject({ kind: 'unresolvable' });
  });

  test('is looked up once for the spacing of visits and for the visit, and has one address for the former', async () => {
    const resolver = names({ 'soon.example': [['2.2.2.2', '1.1.1.1']] });
    await using egress = await egressTo([], { resolver });
    expect(await egress.lookUp('soon.example', signal)).toEqual({ kind: 'address', address: '1.1.1.1' });
    expect(await egress.check('soon.example', 80, signal)).toMatchObject({ kind: 'allowed' });
    expect(resolver.asked).toEqual(['soon.example']);
  });

  test('of a cloud metadata service is looked up by nobody', async () => {
    const resolver = names({});
    await using egress = await egressTo([], { resolver });
    expect(await egress.lookUp('metadata.google.internal', signal)).toEqual({ kind: 'no-address' });
    expect(resolver.asked).toEqual([]);
  });
});
