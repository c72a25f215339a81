/** A WebSocket that accepts and stays open (RFC 6455): enough to see how a crawl treats a page that never goes quiet. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** RFC 6455, section 1.3. */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

/** Answers the handshake; sends a message every so often where `every` is not 0; echoes close and ping. */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex, every: number): void {
  const key = request.headers['sec-websocket-key'];
  if (key === undefined) {
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    return;
  }
  const accept = createHash('sha1')
    .update(key + HANDSHAKE_GUID)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  if (every > 0) {
    const timer = setInterval(() => socket.write(frame(TEXT, Buffer.from('tick'))), every);
    socket.once('close', () => clearInterval(timer));
  }
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let next = readFrame(pending); next !== null; next = readFrame(pending)) {
      pending = pending.subarray(next.length);
      if (next.opcode === CLOSE) socket.end(frame(CLOSE, next.payload));
      if (next.opcode === PING) socket.write(frame(PONG, next.payload));
    }
  });
}

/** A frame of a server: whole, unmasked, at most 125 bytes (all that control frames may have). */
function frame(opcode: number, payload: Buffer): Buffer {
  const short = payload.subarray(0, 125);
  return Buffer.concat([Buffer.from([0x80 | opcode, short.length]), short]);
}

/** The first frame of what has come in; null where it is not whole yet. */
function readFrame(input: Buffer): { opcode: number; payload: Buffer; length: number } | null {
  if (input.length < 2) return null;
  const size = input.readUInt8(1) & 0x7f;
  const sizeBytes = size === 126 ? 2 : size === 127 ? 8 : 0;
  const maskAt = 2 + sizeBytes;
  if (input.length < maskAt + 4) return null;
  const payloadLength =
    sizeBytes === 0 ? size : sizeBytes === 2 ? input.readUInt16BE(2) : Number(input.readBigUInt64BE(2));
  const start = maskAt + 4; // what a client sends is always masked
  if (input.length < start + payloadLength) return null;
  const mask = input.subarray(maskAt, start);
  const payload = Buffer.from(
    input.subarray(start, start + payloadLength).map((byte, at) => byte ^ (mask[at & 3] ?? 0)),
  );
  return { opcode: input.readUInt8(0) & 0x0f, payload, length: start + payloadLength };
}
