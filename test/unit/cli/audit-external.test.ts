/** `orbweaver audit` and links to other sites, against a counting server. */
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { documentOf, prose, storeSite } from '../../support/audited-site.ts';
import { httpOrigin } from '../../support/origin.ts';
import { FakeCrawl, reportOf } from './fake-crawl.ts';
import { FakeShell, runFake } from './fake-shell.ts';

const ALLOW = ['--allow-private', '127.0.0.0/8'];

/** A stored crawl with a link to a server of this machine. */
async function openLinked(
  listener: RequestListener = (_request, response) => void response.setHeader('content-type', 'text/plain').end('here'),
) {
  const server = await httpOrigin(listener);
  const body = documentOf(`${prose('One')}<a href="${server.url}/page">there</a>`);
  const site = await storeSite({
    pages: { '/': body },
    crawl: { effective: { robotsAgent: 'x', userAgent: 'Named/1' } },
  });
  const shellOf = (...words: readonly string[]): FakeShell =>
    new FakeShell({ words: ['audit', site.folder, ...words], workingFolder: site.base });
  return {
    server,
    site,
    shellOf,
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('an audit of a crawl that has just ended', () => {
  it.each([
    ['audit', [], ['HEAD /page']],
    ['audit', ['--external', 'none'], []],
    ['crawl', ['--audit'], []],
    ['crawl', ['--audit', '--external', 'check'], ['HEAD /page']],
  ])('asks for links to other sites as %s %j says', async (command, words, requests) => {
    await using linked = await openLinked();
    const { server, site } = linked;
    const crawl = new FakeCrawl({ report: reportOf({ folder: site.folder }) });
    const all = [command, 'https://example.org/', ...words, ...ALLOW];
    const { code } = await runFake({ words: all, workingFolder: site.base, crawl });
    expect([code, server.requests]).toEqual([0, requests]);
  });

  it('asks without a word with --quiet', async () => {
    await using linked = await openLinked();
    const { server, site } = linked;
    const crawl = new FakeCrawl({ report: reportOf({ folder: site.folder }) });
    const words = ['audit', 'https://example.org/', '--quiet', ...ALLOW];
    const { code, shell } = await runFake({ words, workingFolder: site.base, crawl });
    expect([code, server.requests, shell.errorText]).toEqual([0, ['HEAD /page'], '']);
  });
});

describe('an audit of a crawl folder', () => {
  it('asks for links to other sites once, and not at all with --external none', async () => {
    const agents: unknown[] = [];
    await using linked = await openLinked(({ headers }, response) => {
      agents.push(headers['user-agent']);
      response.setHeader('content-type', 'text/plain').end('here');
    });
    const { server, shellOf, site } = linked;
    expect(await run(shellOf('--external', 'none', ...ALLOW))).toBe(0);
    expect(server.requests).toEqual([]);
    const stored = (): Promise<string> => readFile(join(site.folder, 'external.jsonl'), 'utf8');
    await expect(stored()).rejects.toThrow('ENOENT');
    expect(await run(shellOf(...ALLOW))).toBe(0);
    const second = shellOf(...ALLOW);
    expect(await run(second)).toBe(0);
    expect(second.outputText).toContain('External links: 1 ok.');
    expect([server.requests, agents]).toEqual([['HEAD /page'], ['Named/1']]);
    expect(await stored()).toContain('"verdict":"ok"');
  });

  it('says what it waits for, also where no terminal shows it', async () => {
    await using linked = await openLinked();
    const shell = linked.shellOf(...ALLOW);
    expect(await run(shell)).toBe(0);
    expect(shell.errorText).toBe('Asking for 1 external link; Ctrl-C goes on without the rest.\n');
  });

  it('asks no private address that is not allowed, whatever the folder says', async () => {
    await using linked = await openLinked();
    const { server, shellOf, site } = linked;
    expect(await run(shellOf())).toBe(0);
    expect(server.requests).toEqual([]);
    expect(await readFile(join(site.folder, 'external.jsonl'), 'utf8')).toContain('"verdict":"not-asked"');
  });

  it('goes on with what is known when Ctrl-C ends the asking, and exits with 130', async () => {
    let interrupt = (): void => {};
    await using linked = await openLinked(() => interrupt());
    const shell = linked.shellOf(...ALLOW);
    interrupt = () => void shell.signals.emit('SIGINT');
    expect(await run(shell)).toBe(130);
    expect(shell.outputText).toContain('1 external link not asked for: it was interrupted');
    expect(shell.exits).toEqual([]);
  });

  it('refuses a gate on external links that are not asked for', async () => {
    await using linked = await openLinked();
    const shell = linked.shellOf('--external', 'none', '--fail-on', 'broken-external-link');
    expect(await run(shell)).toBe(2);
    expect(shell.errorText).toContain('broken-external-link');
  });
});
