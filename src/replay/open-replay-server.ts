/**
 * Serves a crawl's recorded answers (`--snapshot warc`) on loopback: recorded status, headers, bodies and redirects, each recorded origin under
 * a name of its own. A request without a recording is answered with 404, and counted.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { readStoredCrawl } from '../crawl-folder/stored-crawl.ts';
import { VERSION } from '../options/identity.ts';
import { rewrittenBody } from '../site-server/rewritten-body.ts';
import { ARCHIVE_FOLDER } from '../warc/archive-names.ts';
import { replayedHeaders } from './answer-headers.ts';
import { damageWords } from './damaged-files.ts';
import { indexWarcs, warcsIn } from './indexed-warcs.ts';
import { RecordedAnswers, faultOfRecord, type RecordedAnswer } from './recorded-answers.ts';
import { unpackWacz, waczIn } from './unpacked-wacz.ts';
import { recordedOrigins, type RecordedOrigins } from './recorded-origins.ts';

export interface ReplayServer extends AsyncDisposable {
  readonly port: number;
  /** Served addresses of the crawl's seeds. At least one. */
  readonly seeds: readonly string[];
  /** Recorded origins, and their served origins. */
  readonly origins: ReadonlyMap<string, string>;
  /** Names the WARC files of which not all could be read; null where all could. */
  readonly damage: string | null;
  /** Requests answered from the archive so far. */
  readonly answered: number;
  /** Requests without a recording that can be read, so far. */
  readonly missing: number;
}

interface ReplayOptions {
  /** Port to listen on; 0 lets the system choose. */
  readonly port: number;
  /** Called for each request without a recording, or with one that cannot be read: then with the fault. */
  readonly onMissing?: (url: string, fault: string | null) => void;
}

/** Most bytes kept of a request's body: it distinguishes requests for one address. */
const REQUEST_BODY = 1_048_576;
/** Most missing addresses named in the log. */
const LOGGED = 1000;

/** Is it the folder of a crawl with an archive, a WACZ file or a folder with one, or a WARC file or a folder with such files? */
export async function isRecordedCrawl(folder: string): Promise<boolean> {
  const found = await Promise.all(
    ['crawl.json', ARCHIVE_FOLDER].map((name) => stat(join(folder, name)).catch(() => null)),
  );
  if (found[0]?.isFile() === true) return found[1]?.isDirectory() === true;
  return (await waczIn(folder)) !== null || (await warcsIn(folder)).length > 0;
}

/**
 * @param folder of the crawl, a WACZ file, or what {@link warcsIn} takes
 * @throws {CrawlError} CRAWL_UNREADABLE, NOT_STORED where there is no archive or it lacks all seeds, USAGE for a port in use
 */
export async function openReplayServer(folder: string, options: ReplayOptions, log: Log): Promise<ReplayServer> {
  const path = resolve(folder);
  const isCrawl = (await stat(join(path, 'crawl.json')).catch(() => null)) !== null;
  const wacz = isCrawl ? null : await waczIn(path);
  const warcs = isCrawl || wacz !== null ? [] : await warcsIn(path);
  const unpacked = wacz === null ? null : await unpackWacz(wacz, log);
  const indexed = warcs.length === 0 ? null : await indexWarcs(warcs, log);
  const owned = unpacked ?? indexed;
  const damage = damageWords(indexed?.damaged ?? unpacked?.damaged ?? []);
  const server = await openServer(owned?.folder ?? path, { ...options, owned, damage }, log).catch(
    async (error: unknown) => {
      await owned?.[Symbol.asyncDispose]();
      throw error;
    },
  );
  try {
    const seeds = indexed === null ? unpacked?.seeds : [];
    server.serve(seeds ?? (await readStoredCrawl(path, VERSION)).seeds, path);
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
  log.info('crawl served again', { folder: path, seeds: server.seeds, origins: server.origins.size });
  return server;
}

interface ReplayParts extends ReplayOptions, Pick<ReplayServer, 'damage'> {
  /** Disposed of with the server. */
  readonly owned: AsyncDisposable | null;
}

async function openServer(folder: string, parts: ReplayParts, log: Log): Promise<Replay> {
  const server = new Replay(await RecordedAnswers.open(folder), parts, log);
  await server.listen(parts.port);
  return server;
}

class Replay implements ReplayServer {
  readonly #answers: RecordedAnswers;
  readonly #options: ReplayParts;
  readonly #log: Log;
  readonly #http: Server;
  #origins: RecordedOrigins = recordedOrigins([], 0);
  #port = 0;
  seeds: readonly string[] = [];
  answered = 0;
  missing = 0;

  constructor(answers: RecordedAnswers, options: ReplayParts, log: Log) {
    this.#answers = answers;
    this.#options = options;
    this.#log = log;
    this.#http = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#respond(request, response).catch((error: unknown) => this.#fail(request, response, error));
    });
    this.#http.on('connection', (socket) => socket.on('error', () => {})); // a client that disconnects is not worth reporting
    this.#http.on('clientError', (_error, socket) => socket.destroy());
    this.#http.on('upgrade', (request, socket) => {
      this.#note(request.url ?? '/');
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  }

  get port(): number {
    return this.#port;
  }

  get damage(): string | null {
    return this.#options.damage;
  }

  get origins(): ReadonlyMap<string, string> {
    return this.#origins.all;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.#http.once('error', (cause) => {
        failed(new CrawlError('USAGE', `Port ${port} cannot be used: ${cause.message}.`, { cause }));
      });
      this.#http.listen(port, '127.0.0.1', done);
    });
    const address = this.#http.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : port;
  }

  serve(seeds: readonly string[], folder: string): void {
    this.#origins = recordedOrigins(this.#answers.origins, this.#port);
    // some tools list no pages in a WACZ file, and WARC files have no list
    const first = seeds.length === 0 ? this.#answers.firstPages : seeds;
    this.seeds = first.flatMap((seed) => this.#origins.servedUrl(seed) ?? []);
    if (this.seeds.length > 0) return;
    throw new CrawlError(
      'NOT_STORED',
      `the archive of ${folder} holds no answer of a seed, so there is nothing to start at\n` +
        `If workers made the crawl, bring their archives together: orbweaver gather ${folder} orbweaver-worker-*`,
      {
        data: { folder },
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#log.info('replay ended', { answered: this.answered, missing: this.missing });
    this.#http.closeAllConnections();
    await new Promise((done) => this.#http.close(done));
    await this.#options.owned?.[Symbol.asyncDispose]();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = this.#origins.originOf(request.headers.host ?? '');
    const body = await bodyOf(request);
    if (origin === null) return refuse(response, 421, 'No recorded site is served under this name.\n');
    const sent = Buffer.from(this.#origins.recorded(body.toString('latin1')), 'latin1');
    const url = origin + this.#origins.recorded(request.url ?? '/');
    const { method = 'GET' } = request;
    const contentType = request.headers['content-type'] ?? '';
    const { range = '' } = request.headers;
    const answer = await this.#answers.find({ method, url, body: sent, contentType, range }).catch(faultOfRecord);
    if (answer instanceof CrawlError) {
      this.#note(url, answer.message);
      return refuse(response, 404, `The record of this address cannot be read: ${method} ${url}\n`);
    }
    if (answer === null) {
      const meant = preflightOf(request);
      if (meant !== null && this.#answers.holds(meant.method, url)) return allow(meant, response);
      this.#note(url);
      return refuse(response, 404, `This address was not recorded: ${method} ${url}\n`);
    }
    this.answered += 1;
    await this.#send(answer, response);
  }

  async #send({ status, headers, body, coding }: RecordedAnswer, response: ServerResponse): Promise<void> {
    const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    const content = coding === null ? await rewrittenBody(body, type, (text) => this.#origins.served(text)) : body;
    response.writeHead(status, replayedHeaders(headers, this.#origins, coding));
    response.end(content);
  }

  /** @param fault why its record cannot be read; null where there is none */
  #note(url: string, fault: string | null = null): void {
    this.missing += 1;
    if (this.missing <= LOGGED) {
      if (fault === null) this.#log.warn('not recorded', { url });
      else this.#log.warn('record cannot be read', { url, why: fault });
    }
    this.#options.onMissing?.(url, fault);
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (response.destroyed) return; // the client went away
    this.#log.error('request failed', { url: request.url, error: String(error) });
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'content-length': 0 }).end();
  }
}

interface Preflight {
  readonly origin: string;
  readonly method: string;
  readonly headers: string | undefined;
}

/** The request that a browser asks leave for; null where it asks for none. */
function preflightOf({ method, headers }: IncomingMessage): Preflight | null {
  const { origin } = headers;
  const meant = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || origin === undefined || meant === undefined) return null;
  return { origin, method: meant, headers: headers['access-control-request-headers'] };
}

/** Allows a request that was recorded: the browser was allowed it then, and many recorders do not see the asking (Fetch, "CORS-preflight fetch"). */
function allow({ origin, method, headers }: Preflight, response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': method,
    ...(headers === undefined ? {} : { 'access-control-allow-headers': headers }),
    'access-control-allow-credentials': 'true',
  });
  response.end();
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
  response.end(text);
}

/** Reads a request's body; the rest of a long one is dropped. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    if (Buffer.isBuffer(piece) && length < REQUEST_BODY) pieces.push(piece);
    if (Buffer.isBuffer(piece)) length += piece.length;
  }
  return Buffer.concat(pieces).subarray(0, REQUEST_BODY);
}
