import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { NameAnswer } from '../../../src/egress/gate/dns-cache.ts';
import { systemLookups, type AskSystem } from '../../../src/egress/gate/system-lookups.ts';
import { resolutionWords, systemResolver } from '../../../src/egress/gate/system-resolver.ts';
import { milliseconds } from '../../../src/base/units.ts';

it.each([
  ['ENOTFOUND', 'the name a.example does not exist (ENOTFOUND)'],
  ['ENODATA', 'the name a.example has no address'],
  ['', 'the name a.example has no address'],
  ['ETIMEOUT', 'the DNS servers did not resolve a.example (ETIMEOUT)'],
])('the code %j of a look-up is said in words', (code, words) => {
  expect(resolutionWords('a.example', code)).toBe(words);
});

/** A system that knows no name. */
const nothing: AskSystem = (name) => Promise.reject(new Error(`getaddrinfo ENOTFOUND ${name}`));

/** The resolution of a name by a DNS server that answers every query with this code and these records, and then by the system. */
async function askedOf(
  code: number,
  records: (type: number) => readonly Buffer[],
  name: string,
  askSystem: AskSystem | null = nothing,
): Promise<NameAnswer> {
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
    const resolver = systemResolver({
      ...{ servers, hostsFile: '/nonexistent', now: () => performance.now() },
      ...(askSystem === null ? {} : { askSystem }),
    });
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

describe('a name that the DNS does not know', () => {
  it.each([
    ['does not exist there', NAME_ERROR],
    ['has no address there', NO_ERROR],
  ])('has the addresses that the system knows where it %s', async (_how, code) => {
    const asked: string[] = [];
    const system: AskSystem = (name) => Promise.resolve([...(asked.push(name), ['192.168.1.9', 'fd00::9'])]);
    expect(await askedOf(code, () => [], 'printer.local', system)).toEqual({
      kind: 'addresses',
      addresses: ['192.168.1.9', 'fd00::9'],
      ttl: null,
    });
    expect(asked).toEqual(['printer.local']);
  });

  it('is asked of getaddrinfo', async () => {
    // a dotted name that every system resolves, and no DNS: getaddrinfo reads it as inet_aton does
    expect(await askedOf(NAME_ERROR, () => [], '127.9', null)).toEqual({
      kind: 'addresses',
      addresses: ['127.0.0.9'],
      ttl: null,
    });
  });

  it('is not asked of the system where the DNS knows it, or fails', async () => {
    const never: AskSystem = (name) => expect.unreachable(name);
    const records = (type: number): readonly Buffer[] => (type === A ? [record(A, 90, [192, 0, 2, 1])] : []);
    expect(await askedOf(NO_ERROR, records, 'a.example', never)).toMatchObject({ kind: 'addresses' });
    await expect(askedOf(SERVER_FAILURE, () => [], 'a.example', never)).rejects.toThrow('did not resolve');
  });
});

describe('questions to the system', () => {
  /** A system that answers when it is told to. */
  function slowSystem(): { readonly ask: AskSystem; readonly begun: string[]; answer(name: string): void } {
    const open = new Map<string, (addresses: readonly string[]) => void>();
    const begun: string[] = [];
    return {
      begun,
      ask: (name) => new Promise((resolve) => (begun.push(name), open.set(name, resolve))),
      answer: (name) => open.get(name)?.(['192.0.2.7']),
    };
  }

  it('are asked two at a time, the others in their order', async () => {
    const system = slowSystem();
    const lookUp = systemLookups(system.ask);
    const answers = ['a', 'b', 'c', 'd'].map((name) => lookUp(name));
    expect(system.begun).toEqual(['a', 'b']);
    system.answer('b');
    expect(await answers[1]).toEqual(['192.0.2.7']);
    expect(system.begun).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c']) system.answer(name);
    await Promise.all([answers[0], answers[2]]);
    system.answer('d');
    expect(await answers[3]).toEqual(['192.0.2.7']);
  });

  it('are not waited for without an end, and those that did not begin are not asked any more', async () => {
    const system = slowSystem();
    const lookUp = systemLookups(system.ask, milliseconds(20));
    expect(await Promise.all(['a', 'b', 'c'].map((name) => lookUp(name)))).toEqual([[], [], []]);
    system.answer('a');
    const later = lookUp('d');
    await expect.poll(() => system.begun).toEqual(['a', 'b', 'd']);
    system.answer('d');
    expect(await later).toEqual(['192.0.2.7']);
  });

  it('that fail have no address, and give their place to others', async () => {
    const lookUp = systemLookups(nothing);
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => lookUp(name)))).toEqual([[], [], [], [], []]);
  });
});
