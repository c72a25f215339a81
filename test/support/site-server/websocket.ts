/** A WebSocket that accepts and stays open: enough to test how a crawl treats a page that never goes quiet. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';

/** Maximum bytes of a page's message; a longer one closes its socket. */
const MAX_PAYLOAD = 65_536;

const server = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD });

/** Answers the handshake. @param every milliseconds between two messages to the page; 0 for none */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex, every: number): void {
  server.handleUpgrade(request, socket, Buffer.alloc(0), (opened) => {
    opened.on('error', () => {}); // a page that breaks the protocol loses its socket
    if (every === 0) return;
    const timer = setInterval(() => opened.send('tick'), every);
    opened.once('close', () => clearInterval(timer));
  });
}
