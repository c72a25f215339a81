/** A DNS server of the suite (RFC 1035): it answers from the fixture alone and asks no other server. */
import { createSocket } from 'node:dgram';
import { fileURLToPath } from 'node:url';
import type { Disposal } from '../../src/base/disposal.ts';

/** The TTL of an answer: zero. */
const NO_TIME = Buffer.alloc(4);

/**
 * @param addressesOf IPv4 addresses of a name, called again for each query
 * @returns variables that make the command use this server
 */
export function nameServer(
  disposal: Disposal,
  addressesOf: (name: string) => readonly string[],
): Readonly<Record<string, string>> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    socket.send(answerTo(question, addressesOf), port, address);
  });
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  socket.bind(port, '127.0.0.1');
  disposal.defer(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return {
    HOSTILE_NAME_SERVER: `127.0.0.1:${port}`,
    HOSTILE_PRELOAD: fileURLToPath(new URL('own-names.mjs', import.meta.url)),
  };
}

function answerTo(question: Buffer, addressesOf: (name: string) => readonly string[]): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = question.readUInt16BE(at + 1);
  const addresses = type === 1 ? addressesOf(labels.join('.').toLowerCase()) : [];
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  // a pointer to the name in the question, type A, class IN
  const records = addresses.map((address) =>
    Buffer.concat([
      Buffer.from([0xc0, 12, 0, 1, 0, 1]),
      NO_TIME,
      Buffer.from([0, 4, ...address.split('.').map(Number)]),
    ]),
  );
  return Buffer.concat([head, question.subarray(12, at + 5), ...records]);
}
