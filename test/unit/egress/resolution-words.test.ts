import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { resolutionWords, systemResolver } from '../../../src/egress/system-resolver.ts';

it.each([
  ['ENOTFOUND', 'the name a.example does not exist (ENOTFOUND)'],
  ['ENODATA', 'the name a.example has no address'],
  ['', 'the name a.example has no address'],
  ['ETIMEOUT', 'the DNS servers do not tell the address of a.example (ETIMEOUT)'],
])('the code %j of a look-up is said in words', (code, words) => {
  expect(resolutionWords('a.example', code)).toBe(words);
});

it('a name that the DNS server does not know is refused in words', async () => {
  const server = createSocket('udp4').on('message', (query, { port, address }) => {
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8183, 2); // a response with the code NXDOMAIN (RFC 1035 section 4.1.1)
    server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const servers = [`127.0.0.1:${server.address().port}`];
    const resolver = systemResolver({ servers, hostsFile: '/nonexistent', now: () => performance.now() });
    await expect(resolver.resolve('gone.example')).rejects.toThrow('the name gone.example does not exist (ENOTFOUND)');
  } finally {
    server.close();
  }
});
