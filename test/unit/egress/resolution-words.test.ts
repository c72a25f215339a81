import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { NameAnswer } from '../../../src/egress/gate/dns-cache.ts';
import { resolutionWords, systemResolver } from '../../../src/egress/gate/system-resolver.ts';

it.each([
  ['ENOTFOUND', 'the name a.example does not exist (ENOTFOUND)'],
  ['ENODATA', 'the name a.example has no address'],
  ['', 'the name a.example has no address'],
  ['ETIMEOUT', 'the DNS servers did not resolve a.example (ETIMEOUT)'],
])('the code %j of a look-up is said in words', (code, words) => {
  expect(resolutionWords('a.example', code)).toBe(words);
});

/** The resolution of a name by a DNS server that answers every query with this code and these records. */
async function askedOf(code: number, records: (type: number) => readonly Buffer[], name: string): Promise<NameAnswer> {
  const server = createSocket('udp4').on('message', (query, { port, address }) => {
    const type = query.readUInt16BE(query.indexOf(0, 12) + 1);
    const answers = records(type);
    const question = query.subarray(0, query.indexOf(0, 12) + 5);
    const answer = Buffer.concat([question, ...answers]);
    answer.writeUInt16BE(0x8180 + code, 2); // a response (RFC 1035 section 4.1.1)
    answer.writeUInt16BE(answers.length, 6);
    answer.writeUInt32BE(0, 8);
    server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const servers = [`127.0.0.1:${server.address().port}`];
    const resolver = systemResolver({ servers, hostsFile: '/nonexistent', now: () => performance.now() });
    return await resolver.resolve(name);
  } finally {
    server.close();
  }
}

const [A, AAAA] = [1, 28];
const [NO_ERROR, SERVER_FAILURE, NAME_ERROR] = [0, 2, 3];

/** An address record of the name in the question. */
function record(type: number, ttl: number, address: readonly number[]): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(address.length, 10);
  return Buffer.concat([head, Buffer.from(address)]);
}

it('a name that the DNS server does not know has no address, and words say why', async () => {
  const detail = 'the name gone.example does not exist (ENOTFOUND)';
  expect(await askedOf(NAME_ERROR, () => [], 'gone.example')).toEqual({ kind: 'none', detail });
});

it('a name that the DNS server knows without any address has none', async () => {
  const detail = 'the name mail.example has no address';
  expect(await askedOf(NO_ERROR, () => [], 'mail.example')).toEqual({ kind: 'none', detail });
});

it('a DNS server that fails tells nothing about the name', async () => {
  await expect(askedOf(SERVER_FAILURE, () => [], 'a.example')).rejects.toThrow('did not resolve a.example');
});

it('a name has the addresses of both families, for the time of the shortest record', async () => {
  const records = (type: number): readonly Buffer[] =>
    type === A
      ? [record(A, 90, [192, 0, 2, 1]), record(A, 70, [192, 0, 2, 2])]
      : type === AAAA
        ? [record(AAAA, 300, [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])]
        : [];
  expect(await askedOf(NO_ERROR, records, 'a.example')).toEqual({
    kind: 'addresses',
    addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
    ttl: 70_000,
  });
});
