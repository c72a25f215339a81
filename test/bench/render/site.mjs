// The sites of the benchmark, in a process of their own, so that no crawler pays for serving. render.mjs starts it and
// gets a message when a watched site reaches a marked number of page requests.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildScripts, noisePicture, styleSheet, systemFonts } from './assets.mjs';
import { FAMILIES, SHOP_SCRIPT, apiAnswer, indexOf, pageOf } from './families.mjs';

const packages = fileURLToPath(new URL('../peer', import.meta.url));
const scripts = await buildScripts(packages);
const pictures = Array.from({ length: 40 }, (_, n) => noisePicture(160, 100, n + 1));
const styles = [0, 1, 2, 3].map(styleSheet);
const fonts = systemFonts();

const CACHED = 'public, max-age=3600';
const made = new Map();
/** Makes each page once: the second crawler must not find a faster server than the first. */
function memo(key, make) {
  if (!made.has(key)) made.set(key, Buffer.from(make()));
  return made.get(key);
}

function send(response, type, body, cacheControl = 'no-store') {
  response.writeHead(200, {
    'content-type': type,
    'cache-control': cacheControl,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

function sendMissing(response) {
  response.writeHead(404, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
  response.end('not found');
}

/** The watched run: pages requested so far, and the counts at which to send a message. */
let watched = { prefix: null, paths: null, seen: new Set(), marks: [] };
process.on('message', ({ prefix, paths, marks }) => {
  watched = { prefix, paths: paths === undefined ? null : new Set(paths), seen: new Set(), marks };
  process.send({ kind: 'watching' });
});
function notePage(path) {
  const { prefix, paths, seen } = watched;
  if (prefix === null || !path.startsWith(prefix) || paths?.has(path) === false || seen.has(path)) return;
  watched.seen.add(path);
  if (watched.marks.includes(watched.seen.size)) process.send({ kind: 'mark', pages: watched.seen.size });
}

function events(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let count = 0;
  const tell = () => response.write(`data: ${count++}\n\n`);
  tell();
  const timer = setInterval(tell, 1000);
  response.on('close', () => clearInterval(timer));
}

function asset(path, response) {
  const picture = /^\/e\/picture\/\w+-(\d+)\.png$/.exec(path);
  if (picture !== null) return send(response, 'image/png', pictures[Number(picture[1]) % pictures.length], CACHED);
  const style = /^\/e\/style([0-3])\.css$/.exec(path);
  if (style !== null) return send(response, 'text/css', styles[Number(style[1])], CACHED);
  const font = /^\/e\/font([0-2])\.ttf$/.exec(path);
  if (font !== null) return send(response, 'font/ttf', fonts[Number(font[1])], CACHED);
  if (path === '/b/vendor.js') return send(response, 'text/javascript', scripts.vendor, CACHED);
  if (path === '/g/shop.js') return send(response, 'text/javascript', SHOP_SCRIPT, CACHED);
  if (path === '/b/app.js') return send(response, 'text/javascript', scripts.application, CACHED);
  return sendMissing(response);
}

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
};

/** A file of a real site; a path without extension and file is a route of an application. */
function file(folder, path, response) {
  const asked = normalize(join(folder, decodeURIComponent(path)));
  if (!asked.startsWith(folder)) return sendMissing(response);
  for (const candidate of [
    asked,
    join(asked, 'index.html'),
    ...(extname(asked) === '' ? [join(folder, 'index.html')] : []),
  ]) {
    if (statSync(candidate, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const type = TYPES[extname(candidate)] ?? 'application/octet-stream';
    return send(
      response,
      type,
      memo(candidate, () => readFileSync(candidate)),
      type.startsWith('text/html') ? 'no-cache' : CACHED,
    );
  }
  return sendMissing(response);
}

const [folder] = process.argv.slice(2);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://site');
  if (folder !== undefined) {
    notePage(pathname);
    return file(folder, pathname, response);
  }
  if (pathname === '/api/events') return events(response);
  if (pathname.startsWith('/api/')) {
    const answer = apiAnswer(pathname, searchParams);
    if (answer === null) return sendMissing(response);
    return void setTimeout(() => send(response, answer.type, answer.body), answer.delay);
  }
  const [, family, size, kind, page] = pathname.split('/');
  const site = { family, size: Number(size) };
  if (!FAMILIES.includes(family) || !(site.size > 0)) return asset(pathname, response);
  if (kind === '') return send(response, 'text/html; charset=utf-8', indexOf(site), 'no-cache');
  if (kind !== 'p' || !(Number(page) < site.size)) return asset(pathname, response);
  notePage(pathname);
  return send(
    response,
    'text/html; charset=utf-8',
    memo(pathname, () => pageOf(site, Number(page))),
    'no-cache',
  );
});

/** RFC 6455, section 1.3. */
const SOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${SOCKET_GUID}`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const tell = () => socket.write(Buffer.from([0x81, 4, ...Buffer.from('tick')]));
  tell();
  const timer = setInterval(tell, 1000);
  socket.on('data', () => {});
  socket.on('error', () => {});
  socket.on('close', () => clearInterval(timer));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send({ kind: 'listening', origin: `http://127.0.0.1:${server.address().port}` }),
);
process.on('disconnect', () => process.exit(0));
