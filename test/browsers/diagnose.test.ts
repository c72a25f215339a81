import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { BROWSER_DIFFERENCES } from '../../browsers/launch/browser-differences.ts';
import { diagnoseMachine } from '../../browsers/launch/diagnose.ts';
import { silentLog } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import { openEgress } from '../../src/egress/open-egress.ts';
import { openCdpEndpoint } from '../support/browser-ways.ts';
import { browserEnvironment } from '../../browsers/launch/find-browser.ts';

const browsers = browserEnvironment(process.env, process.platform, homedir());

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function program(script: string): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-test-'));
  folders.push(folder);
  await chmod(folder, 0o755);
  const path = join(folder, 'redis-server');
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { folder, path };
}

describe('the diagnosis', () => {
  it('finds nothing to mend on a machine that can run the tests', async () => {
    const lines = await diagnoseMachine({ browsers });
    expect(lines.filter(({ ok }) => !ok)).toEqual([]);
    expect(lines.map(({ name }) => name)).toEqual(expect.arrayContaining(['browser', 'sandbox', 'Redis', 'Node.js']));
    expect(lines.find(({ name }) => name === 'browser')?.detail).toMatch(/version \d+\.\d+/);
  });

  it('names the commands where nothing is installed', async () => {
    const bare = { ...browsers, path: '', browser: null, playwrightCache: null, programFolders: [], platform: 'linux' };
    const lines = await diagnoseMachine({ browsers: bare });
    const missing = Object.fromEntries(lines.filter(({ ok }) => !ok).map(({ name, cure }) => [name, cure]));
    expect(missing).toEqual({
      browser: expect.stringContaining('apt-get install chromium-headless-shell'),
      Redis: expect.stringContaining('apt-get install redis-server'),
    });
  });

  it('names the folder for temporary files where none can be made in it', async () => {
    const gone = join(tmpdir(), 'orbweaver-test-gone');
    const bare = { ...browsers, path: '', browser: null, playwrightCache: null, programFolders: [], platform: 'linux' };
    const lines = await diagnoseMachine({ browsers: { ...bare, variables: { TMPDIR: gone } } });
    expect(lines.find(({ name }) => name === 'temporary files')).toEqual({
      name: 'temporary files',
      ok: false,
      detail: `no temporary files can be made in ${gone}: there is no such folder`,
      cure: expect.stringContaining('Set TMPDIR to a folder'),
    });
  });

  it('says that a browser does not start, in its own words', async () => {
    const { path } = await program(
      'echo "x: error while loading shared libraries: libnss3.so: cannot open" >&2; exit 127',
    );
    const lines = await diagnoseMachine({ browsers: { ...browsers, browser: path } });
    expect(lines.find(({ name }) => name === 'browser start')).toMatchObject({
      ok: false,
      detail: expect.stringContaining('libnss3.so'),
      cure: expect.stringContaining('install-deps'),
    });
  });

  it('says what a browser at an endpoint does otherwise, and whether its pages reach the proxy', async () => {
    const limits = { connectTimeout: seconds(1), resolveTimeout: seconds(1) };
    await using gate = await openEgress({ grants: [], closedPorts: [], ...limits }, { log: silentLog });
    await using endpoint = await openCdpEndpoint();
    const lines = await diagnoseMachine({ browsers, asked: endpoint.url, gate });
    expect(lines.filter(({ ok }) => !ok)).toEqual([]);
    const detail = lines.find(({ name }) => name === 'browser kind')?.detail ?? '';
    for (const { of, words } of BROWSER_DIFFERENCES) expect(detail.includes(words)).toBe(of.includes('cdp'));
    expect(lines.find(({ name }) => name === 'egress gate')?.detail).toContain('reach the proxy');
    await using lost = await openCdpEndpoint(['--host-resolver-rules=MAP * ~NOTFOUND']);
    const faults = (await diagnoseMachine({ browsers, asked: lost.url, gate })).filter(({ ok }) => !ok);
    expect(faults).toMatchObject([
      { name: 'browser', detail: expect.stringContaining('do not reach the proxy') as string },
    ]);
    expect(faults[0]?.cure).toContain('--ungated-browser');
  });

  it('refuses a Redis that is too old', async () => {
    const { folder } = await program('echo "Redis server v=5.0.14 sha=0"');
    const lines = await diagnoseMachine({ browsers: { ...browsers, path: `${folder}:${browsers.path}` } });
    expect(lines.find(({ name }) => name === 'Redis')).toMatchObject({
      ok: false,
      detail: expect.stringContaining('5.0.14: 7.0 or later is needed'),
    });
  });
});
