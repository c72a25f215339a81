import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { silentLog } from '../../src/base/log.ts';
import { openSiteServer } from '../../src/site-server/open-site-server.ts';
import type { SiteServer } from '../../src/site-server/site-server.ts';
import { openFixtureSite } from './site-server/open-fixture-site.ts';

/** A temporary folder with these files; removed when disposed. */
export async function temporaryFolder(
  files: Readonly<Record<string, string | Buffer>>,
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'orbweaver-site-'));
  for (const [name, content] of Object.entries(files)) {
    const file = join(path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export interface TemporarySite extends AsyncDisposable {
  readonly server: SiteServer;
  readonly folder: string;
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Serves these files on a free port, as `orbweaver serve` does. */
export async function temporarySite(files: Readonly<Record<string, string | Buffer>>): Promise<TemporarySite> {
  return await served(files, (folder) => openSiteServer(folder, { port: 0, address: '127.0.0.1' }, silentLog));
}

/** Serves these files with all extensions that site.json of a fixture site may use. */
export async function temporaryFixture(files: Readonly<Record<string, string | Buffer>>): Promise<TemporarySite> {
  return await served(files, openFixtureSite);
}

async function served(
  files: Readonly<Record<string, string | Buffer>>,
  open: (folder: string) => Promise<SiteServer>,
): Promise<TemporarySite> {
  const folder = await temporaryFolder(files);
  const server = await open(folder.path);
  return {
    server,
    folder: folder.path,
    get: (path, headers = {}, method = 'GET') => rawRequest(server.port, path, headers, method),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Sends a path as written: fetch would remove its dots. */
export function rawRequest(
  port: number,
  path: string,
  headers: Record<string, string>,
  method: string,
): Promise<Answered> {
  return new Promise((done, failed) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, method, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', failed);
      response.on('end', () => {
        done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces).toString() });
      });
    });
    sent.on('error', failed);
    sent.end();
  });
}
