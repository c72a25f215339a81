/** Answers of the proxy itself to a client whose request it cannot carry out; see the contract in egress.ts. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EgressFailure } from '../egress.ts';
import { headerSafe } from '../network-failure.ts';

export interface ProxyReply {
  readonly status: number;
  readonly header: readonly [name: string, value: string];
  /** The failure in words. */
  readonly detail?: string;
}

const DETAIL = 'x-orbweaver-detail';

export function replyTo(failure: EgressFailure): ProxyReply {
  if (failure.kind === 'blocked') return { status: 403, header: ['x-orbweaver-refused', headerSafe(failure.detail)] };
  const status = failure.failure === 'timeout' ? 504 : 502;
  return { status, header: ['x-orbweaver-error', failure.failure], detail: headerSafe(failure.detail) };
}

/** A request that is not meant for a proxy. */
export function badRequest(why: string): ProxyReply {
  return { status: 400, header: ['x-orbweaver-refused', headerSafe(why)] };
}

/** A request with more headers than servers take. */
export const REQUEST_TOO_LARGE: ProxyReply = { status: 431, header: ['x-orbweaver-error', 'request-too-large'] };

/** What a page asks for ahead of its use: its `load` event is fired, as scripts may wait for it, and nothing is kept. */
export const PREFETCH: ProxyReply = { status: 204, header: ['x-orbweaver-refused', 'prefetch'] };
/** A page that the browser wants ahead of a navigation: it would show even an empty one later, but not an error. */
export const PAGE_PREFETCH: ProxyReply = { status: 503, header: ['x-orbweaver-refused', 'prefetch'] };

const REASONS: Readonly<Record<number, string>> = {
  204: 'No Content',
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Answers a client whose request failed through a fault of the program. */
export const FAULT: ProxyReply = { status: 502, header: ['x-orbweaver-error', 'other'] };

/** Never throws, in any state of the response. */
export function sendReply(response: ServerResponse, reply: ProxyReply): void {
  if (response.headersSent || response.destroyed) {
    response.destroy(); // half an answer must not look like a whole one
    return;
  }
  const detail = reply.detail === undefined ? [] : [DETAIL, reply.detail];
  const headers = [...reply.header, ...detail, 'content-length', '0', 'cache-control', 'no-store'];
  try {
    // a reason phrase that node has refused to write is still in the response
    response.writeHead(reply.status, REASONS[reply.status] ?? 'Error', headers);
    response.end();
  } catch {
    response.destroy();
  }
}

/** The same, where node:http has handed the bare socket over. */
export function sendRawReply(socket: Duplex, reply: ProxyReply): void {
  if (socket.destroyed || !socket.writable) return;
  const [name, value] = reply.header;
  socket.end(
    `HTTP/1.1 ${reply.status} ${REASONS[reply.status] ?? 'Error'}\r\n${name}: ${value}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
    () => socket.destroy(),
  );
}
