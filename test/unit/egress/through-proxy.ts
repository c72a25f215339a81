/** An egress to loopback, and requests through its proxy as a browser would send them. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect as tcpConnect, type Socket } from 'node:net';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { silentLog, type Log } from '../../../src/base/log.ts';
import { seconds } from '../../../src/base/units.ts';
import type { Egress, EgressOptions } from '../../../src/egress/egress.ts';
import type { NameResolver } from '../../../src/egress/gate/dns-cache.ts';
import { openEgress } from '../../../src/egress/open-egress.ts';
import { basic } from '../../../src/egress/proxy/proxy-door.ts';
import type { ExchangeRecorder } from '../../../src/model/exchange.ts';

const nobody: NameResolver = { resolve: async (name) => await Promise.reject(new Error(`ENOTFOUND ${name}`)) };

/** Names with their answers; each answer of a list is given once, and the last one repeats. */
export function names(
  table: Readonly<Record<string, readonly (readonly string[])[]>>,
): NameResolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (name) => {
      const answers = table[name] ?? [[]];
      const turn = asked.filter((each) => each === name).length;
      asked.push(name);
      const addresses = answers[Math.min(turn, answers.length - 1)] ?? [];
      return await Promise.resolve({ kind: 'addresses', addresses, ttl: null });
    },
  };
}

export async function egressTo(
  ports: readonly number[],
  more: Partial<EgressOptions> & {
    readonly resolver?: NameResolver;
    readonly trusted?: readonly string[];
    readonly clock?: Clock;
    readonly recorder?: ExchangeRecorder;
    readonly log?: Log;
    readonly onRefusedNear?: (name: string, port: number) => void;
  } = {},
): Promise<Egress> {
  const { resolver = nobody, trusted, clock = systemClock, recorder = null, log = silentLog, ...rest } = more;
  const { onRefusedNear = () => {}, ...options } = rest;
  return await openEgress(
    {
      grants: ports.map((port) => ({ cidr: '127.0.0.1', port })),
      closedPorts: [],
      connectTimeout: seconds(5),
      resolveTimeout: seconds(5),
      ...options,
    },
    { log, resolver, clock, recorder, onRefusedNear, ...(trusted === undefined ? {} : { trusted }) },
  );
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly raw: readonly string[];
  readonly body: Buffer;
  /** Did the answer end as it should? */
  readonly complete: boolean;
}

/** One request in absolute-form, as a browser sends it. */
export async function viaProxy(
  egress: Egress,
  target: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
  } = {},
): Promise<Reply> {
  const proxy = new URL(egress.proxyUrl);
  return await new Promise((resolve, reject) => {
    const asked = httpRequest({
      host: proxy.hostname,
      port: proxy.port,
      method: options.method ?? 'GET',
      path: target,
      headers: {
        host: URL.canParse(target) ? new URL(target).host : 'x',
        'proxy-authorization': basic(egress.proxyCredential),
        ...options.headers,
      },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      const done = (complete: boolean): void => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          raw: response.rawHeaders,
          body: Buffer.concat(chunks),
          complete,
        });
      };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(true));
      response.on('error', () => done(false));
    });
    asked.end(options.body);
  });
}

/** The bytes of a request with the credential inserted after its first line. */
export function admitted(egress: Egress, bytes: string): string {
  return bytes.replace('\r\n', () => `\r\nProxy-Authorization: ${basic(egress.proxyCredential)}\r\n`);
}

/** Sends bytes to the proxy, with the credential after their first line, and returns the socket and the head of the answer. */
export async function rawToProxy(
  egress: Egress,
  bytes: string,
): Promise<{ readonly socket: Socket; readonly head: string }> {
  const socket = tcpConnect({ host: '127.0.0.1', port: Number(new URL(egress.proxyUrl).port), allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(admitted(egress, bytes));
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    const chunk = await Promise.race([once(socket, 'data'), once(socket, 'end'), once(socket, 'close')]);
    if (!Buffer.isBuffer(chunk[0])) break;
    head += chunk[0].toString('latin1');
  }
  return { socket, head };
}
