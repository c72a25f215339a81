import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect, TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { epochMs, hours, minutes } from '../../../src/base/units.ts';
import { openAuthority, type CrawlAuthority } from '../../../src/egress/tls/crawl-authority.ts';
import { handClock } from '../../support/hand-clock.ts';
import { started } from '../../support/origin.ts';

const START = Date.parse('2026-11-22T06:00:00Z');

/** A clock that starts on a present-day date. */
function dayClock(): ReturnType<typeof handClock> {
  const clock = handClock();
  return { ...clock, now: () => epochMs(START + clock.now()) };
}

/** The certificate that a client gets for a host. */
async function shown(authority: CrawlAuthority, host: string): Promise<X509Certificate> {
  await using server = await started(
    createServer((socket) => {
      const tls = new TLSSocket(socket, { isServer: true, secureContext: authority.contextFor(host) });
      tls.on('error', () => socket.destroy());
    }),
  );
  const tls = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(tls, 'secureConnect');
  const certificate = tls.getPeerX509Certificate();
  tls.destroy();
  if (certificate === undefined) throw new Error('no certificate');
  return certificate;
}

describe('an authority of a crawl', () => {
  test('may sign certificates, and signs itself', async () => {
    const authority = await openAuthority(dayClock());
    const root = new X509Certificate(authority.certificate);
    expect([root.ca, root.verify(root.publicKey), root.subject]).toEqual([true, true, root.issuer]);
    expect([new Date(root.validFrom), new Date(root.validTo)]).toEqual([
      new Date('2026-11-21T06:00:00Z'),
      new Date('2026-11-29T06:00:00Z'),
    ]);
  });

  test('has a key of its own for each crawl, and one for all hosts', async () => {
    const [one, other] = [await openAuthority(dayClock()), await openAuthority(dayClock())];
    expect(one.keyDigest).not.toBe(other.keyDigest);
    for (const host of ['a.example', 'b.example']) {
      const spki = (await shown(one, host)).publicKey.export({ type: 'spki', format: 'der' });
      expect(createHash('sha256').update(spki).digest('base64')).toBe(one.keyDigest);
    }
  });

  test.each([
    ['secure.example', 'DNS:secure.example', 'name'],
    ['Secure.Example.', 'DNS:secure.example', 'name'],
    ['xn--bcher-kva.example', 'DNS:xn--bcher-kva.example', 'name'],
    ['under_score.example', 'DNS:under_score.example', 'name'],
    ['127.0.0.1', 'IP Address:127.0.0.1', 'address'],
    ['[::1]', 'IP Address:0:0:0:0:0:0:0:1', 'address'],
    ['2001:db8::ff00:42', 'IP Address:2001:DB8:0:0:0:0:FF00:42', 'address'],
  ])('certifies %s as %s', async (host, name, kind) => {
    const authority = await openAuthority(dayClock());
    const leaf = await shown(authority, host);
    expect(leaf.subjectAltName).toBe(name);
    expect(leaf.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect(leaf.ca).toBe(false);
    const bare = host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
    expect(kind === 'name' ? leaf.checkHost(bare) : leaf.checkIP(bare)).toBe(bare);
    expect(leaf.checkHost('other.example')).toBeUndefined();
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  test.each([
    ['a wildcard', '*.localhost'],
    ['a thousand letters', `${'x'.repeat(1000)}.localhost`],
    ['letters that mean something elsewhere', `a'";$(b)%00.localhost`],
  ])('certifies %s for itself', async (_title, host) => {
    const leaf = await shown(await openAuthority(dayClock()), host);
    expect(leaf.subjectAltName).toContain('localhost');
    expect(leaf.checkHost('localhost')).toBeUndefined();
  });

  test('makes certificates anew before they end, and not before', async () => {
    const clock = dayClock();
    const authority = await openAuthority(clock);
    const first = authority.contextFor('a.example');
    await clock.run(hours(5 * 24));
    expect(authority.contextFor('A.example.')).toBe(first);
    await clock.run(hours(24));
    expect(authority.contextFor('a.example')).not.toBe(first);
    expect(new Date((await shown(authority, 'a.example')).validTo)).toEqual(new Date('2026-12-05T06:00:00Z'));
  });

  test('keeps so many certificates and no more, those that are used longest', async () => {
    const authority = await openAuthority(dayClock());
    const first = authority.contextFor('first.example');
    const second = authority.contextFor('second.example');
    for (let index = 0; index < 254; index += 1) authority.contextFor(`${index}.example`);
    expect(authority.contextFor('first.example')).toBe(first);
    authority.contextFor('one-more.example');
    expect(authority.contextFor('first.example')).toBe(first);
    expect(authority.contextFor('second.example')).not.toBe(second);
  });

  test('gives every certificate another number', async () => {
    const clock: Clock = dayClock();
    const authority = await openAuthority(clock);
    const numbers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (await shown(authority, `${index}.example`)).serialNumber),
    );
    expect(new Set(numbers).size).toBe(20);
    expect(numbers.every((number) => /^[4-7][\dA-F]{31}$/.test(number))).toBe(true);
    expect(clock.now()).toBeLessThan(START + minutes(1));
  });
});
