/** A browser whose only network is an archive: a proxy that answers from the archive alone. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import { launchBrowser } from '../../browsers/launch/launch-browser.ts';
import { silentLog } from '../../src/base/log.ts';
import { openRawPage, type RawPage } from './raw-page.ts';
import type { ArchivedAnswer } from './wacz.ts';

/** Headers of the recorded connection, not of the current one. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'proxy-connection',
  'upgrade',
  'content-length',
]);

/** Disposed of, it closes its pages: none asks for anything while the next one is in use. */
export interface Replay extends AsyncDisposable {
  /** Opens a page in a context of its own, which shares no cache with any before it. */
  open(url: string): Promise<RawPage>;
  /** Requests without an answer in the archive: `GET http://a.test/x`. */
  readonly missing: readonly string[];
}

export interface ReplayBrowser extends AsyncDisposable {
  /** From now on its network is this archive alone; the replay before it is to be disposed of. */
  replay(answers: ReadonlyMap<string, ArchivedAnswer>): Replay;
}

/** Starts a browser that asks a proxy for everything. */
export async function openReplayBrowser(): Promise<ReplayBrowser> {
  let answers: ReadonlyMap<string, ArchivedAnswer> = new Map();
  let missing: string[] = [];
  const server = createServer((request, response) => {
    const asked = `${request.method} ${request.url}`;
    const answer = answers.get(asked);
    if (answer === undefined) {
      missing.push(asked);
      response.writeHead(404).end();
      return;
    }
    const headers = answer.headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
    response.writeHead(answer.status, headers.flat()).end(answer.body);
  });
  server.on('connect', (request, socket) => {
    missing.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { signal } = new AbortController();
  const environment = browserEnvironment(process.env, process.platform, homedir());
  const browser = await launchBrowser(
    await findBrowser({ asked: null, environment }, signal),
    {
      proxyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      frameControl: false,
      extraFlags: [],
      sandbox: 'auto',
      log: silentLog,
    },
    signal,
  );
  return {
    replay(archive) {
      answers = archive;
      const own: string[] = [];
      missing = own;
      const pages: RawPage[] = [];
      return {
        missing: own,
        async open(url) {
          const page = await openRawPage(browser);
          pages.push(page);
          const fault = await page.goto(url);
          if (fault !== '') throw new Error(`${url}: ${fault}`);
          return page;
        },
        async [Symbol.asyncDispose]() {
          for (const { page } of pages) await page.close();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await closed(server);
    },
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => void server.close(() => done()));
}
