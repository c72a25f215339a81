/**
 * The authority in whose name the proxy terminates TLS. It is made for one crawl, its keys never leave this process, and only
 * the browser that the crawl starts trusts it. One key serves all its certificates, so that this trust is in a key.
 */
import { createHash, generateKeyPair, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { promisify } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { LruMap } from '../../base/lru-map.ts';
import { after, epochMs, hours, type EpochMs } from '../../base/units.ts';
import type { EgressAuthority } from '../egress.ts';
import { normalName } from '../gate/dns-cache.ts';
import { parseIpAddress } from '../gate/ip-address.ts';
import {
  bitString,
  boolean,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  tagged,
  time,
  utf8String,
} from './der.ts';

export interface CrawlAuthority extends EgressAuthority {
  /** The TLS context of a server of this host name, or address. */
  contextFor(hostName: string): SecureContext;
}

/** Life of a certificate: longer than most crawls; a crawl that lasts longer gets new certificates. */
const LIFE = hours(7 * 24);
/** Time by which certificates are valid before they were made: clocks may differ so far. */
const GRACE = hours(24);
/** Contexts that are kept; each takes about 40 KB. A browser speaks with fewer hosts at a time, and making one takes a millisecond. */
const CONTEXT_LIMIT = 256;

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const VERSION_3 = tagged(0xa0, integer(Uint8Array.from([2])));
const ISSUER = nameOf('Orbweaver for one crawl');
const SUBJECT = nameOf('A site that is archived');

const AUTHORITY_EXTENSIONS = [
  extension('2.5.29.19', 'critical', sequence(boolean(true))), // basicConstraints: may sign others
  extension('2.5.29.15', 'critical', bitString(Uint8Array.from([0x04]), 2)), // keyUsage: keyCertSign
];
const SERVER_EXTENSIONS = [
  extension('2.5.29.19', 'critical', sequence()),
  extension('2.5.29.15', 'critical', bitString(Uint8Array.from([0x80]), 7)), // keyUsage: digitalSignature
  extension('2.5.29.37', 'plain', sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))), // extKeyUsage: serverAuth
];

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const generate = promisify(generateKeyPair);

export async function openAuthority(clock: Clock): Promise<CrawlAuthority> {
  const [authority, server] = await Promise.all([generate('ec', CURVE), generate('ec', CURVE)]);
  return new Authority(authority, server, clock);
}

const CURVE = { namedCurve: 'P-256' };

class Authority implements CrawlAuthority {
  readonly certificate: string;
  readonly keyDigest: string;
  readonly #signer: KeyPair;
  readonly #server: KeyPair;
  readonly #serverKey: string;
  readonly #clock: Clock;
  /** Longest unused first. */
  readonly #contexts = new LruMap<string, { readonly context: SecureContext; readonly until: EpochMs }>(CONTEXT_LIMIT);

  constructor(signer: KeyPair, server: KeyPair, clock: Clock) {
    this.#signer = signer;
    this.#server = server;
    this.#serverKey = server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    this.#clock = clock;
    const extensions = AUTHORITY_EXTENSIONS;
    this.certificate = this.#issue({
      subject: ISSUER,
      key: signer.publicKey,
      extensions,
      until: after(clock.now(), LIFE),
    });
    this.keyDigest = createHash('sha256').update(publicInfo(server.publicKey)).digest('base64');
  }

  contextFor(hostName: string): SecureContext {
    const name = normalName(hostName);
    const now = this.#clock.now();
    const known = this.#contexts.get(name);
    const current =
      known !== undefined && after(now, GRACE) < known.until ? known : this.#contextOf(name, after(now, LIFE));
    this.#contexts.set(name, current);
    return current.context;
  }

  #contextOf(name: string, until: EpochMs): { readonly context: SecureContext; readonly until: EpochMs } {
    const extensions = [...SERVER_EXTENSIONS, extension('2.5.29.17', 'plain', sequence(alternativeName(name)))];
    const cert = this.#issue({ subject: SUBJECT, key: this.#server.publicKey, extensions, until });
    // without `ca` the context would load all authorities that node trusts; no client is asked for a certificate
    return { context: createSecureContext({ key: this.#serverKey, cert, ca: [] }), until };
  }

  /** @returns PEM */
  #issue({ subject, key, extensions, until }: CertificateRequest): string {
    const from = epochMs(this.#clock.now() - GRACE);
    const content = sequence(
      VERSION_3,
      integer(Uint8Array.from([0x40 | ((randomBytes(1)[0] ?? 0) % 0x40), ...randomBytes(15)])),
      ECDSA_WITH_SHA256,
      ISSUER,
      sequence(time(new Date(from)), time(new Date(until))),
      subject,
      publicInfo(key),
      tagged(0xa3, sequence(...extensions)),
    );
    const signature = sign('sha256', content, this.#signer.privateKey);
    return pem(sequence(content, ECDSA_WITH_SHA256, bitString(signature)));
  }
}

interface CertificateRequest {
  readonly subject: Uint8Array;
  readonly key: KeyObject;
  readonly extensions: readonly Uint8Array[];
  readonly until: EpochMs;
}

/** A GeneralName of subjectAltName: dNSName or iPAddress (RFC 5280 section 4.2.1.6). */
function alternativeName(name: string): Uint8Array {
  const address = parseIpAddress(name);
  if (address === null) return tagged(0x82, new TextEncoder().encode(name));
  const width = address.family === 4 ? 8 : 32;
  return tagged(0x87, Buffer.from(address.value.toString(16).padStart(width, '0'), 'hex'));
}

function nameOf(commonName: string): Uint8Array {
  return sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))));
}

function extension(id: string, weight: 'critical' | 'plain', value: Uint8Array): Uint8Array {
  const critical = weight === 'critical' ? [boolean(true)] : [];
  return sequence(objectIdentifier(id), ...critical, octetString(value));
}

function publicInfo(key: KeyObject): Uint8Array {
  return key.export({ type: 'spki', format: 'der' });
}

function pem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
