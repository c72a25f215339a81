/**
 * Admits clients to the proxy: every program of the machine reaches its port, and only our browser may use it. The browser shows a
 * credential that lives in the memory of this process and of that browser, and in no argument, file or log.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ProxyCredential, ProxyProbe } from '../../../browsers/protocol/proxy-credential.ts';
import type { ProxyReply } from './proxy-reply.ts';

/** 128 bits are beyond guessing (RFC 4086 section 8.2); these are 256. */
const SECRET_BYTES = 32;

/** URL of the greeting. Names under .invalid have no address (RFC 6761 section 6.4): it is nobody else's. */
const GREETING = 'http://proxy.orbweaver.invalid/';

/** Random bytes in a probe's name, which nobody guesses. */
const PROBE_BYTES = 16;

/** RFC 9110 section 11.7.1. */
export const CREDENTIAL_WANTED: ProxyReply = { status: 407, header: ['proxy-authenticate', 'Basic realm="orbweaver"'] };

export class ProxyDoor {
  readonly credential: ProxyCredential;
  readonly #expected: Buffer;
  readonly #port: () => number;
  /** Callbacks for the arrival of probes, by their URLs. */
  readonly #probes = new Map<string, () => void>();

  /** @param port of the proxy */
  constructor(port: () => number) {
    this.#port = port;
    const password = randomBytes(SECRET_BYTES).toString('base64url');
    this.credential = { username: 'orbweaver', password, greeting: GREETING, probe: () => this.#probe() };
    this.#expected = digest(basic(this.credential));
  }

  /** Does a client that sent this Proxy-Authorization know the credential? Takes the same time for every wrong one. */
  admits(authorization: string | undefined): boolean {
    return authorization !== undefined && timingSafeEqual(digest(authorization), this.#expected);
  }

  /** Is it the request at which the browser is given the credential? */
  isGreeting(url: string | undefined): boolean {
    return url === this.credential.greeting || (url !== undefined && this.#probes.has(url));
  }

  /** Called when an admitted client has sent the greeting. */
  greeted(url: string | undefined): void {
    if (url !== undefined) this.#probes.get(url)?.();
  }

  /** Makes a probe. Browsers ask their own machine for names of .localhost, past a proxy, unless they are told otherwise. */
  #probe(): ProxyProbe {
    // a browser that bypasses the proxy reaches its port all the same, and is told nothing
    const url = `http://${randomBytes(PROBE_BYTES).toString('hex')}.localhost:${this.#port()}/`;
    let hasArrived = false;
    this.#probes.set(url, () => (hasArrived = true));
    return {
      url,
      arrived: () => hasArrived,
      [Symbol.dispose]: () => void this.#probes.delete(url),
    };
  }
}

/** Value of the Proxy-Authorization of a client that knows the credential (RFC 7617). */
export function basic({ username, password }: Pick<ProxyCredential, 'username' | 'password'>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** A digest of equal length for every text. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
