import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FoundBrowser } from '../../../../browsers/launch/find-browser.ts';
import { printedVersion } from '../../../../browsers/launch/printed-version.ts';

const { signal } = new AbortController();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-version-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program in the place of a browser. */
async function program(name: string, script: string): Promise<FoundBrowser> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { kind: 'executable', path, flavour: 'chromium', source: 'a test', variables: {} };
}

describe('the version that a browser prints', () => {
  it.each([
    ['debian', 'Chromium 156.0.8078.108 built on Debian GNU/Linux 12 (bookworm)', '156.0.8078.108'],
    ['testing', 'Google Chrome for Testing 140.0.7339.5 ', '140.0.7339.5'],
    ['warned', 'libva error: 12.3.4.5\nChromium 141.0.1.2', '141.0.1.2'],
    ['another', 'v20.20.2', null],
    ['nothing', '', null],
  ])('of a program as %s is known without a start', async (name, text, version) => {
    const browser = await program(name, `test "$*" = --version && printf '%s\\n' '${text}'`);
    expect(await printedVersion(browser, signal, 'linux')).toBe(version);
  });

  it('is not known where the program fails, opens a window, or runs already', async () => {
    expect(await printedVersion(await program('fails', 'exit 3'), signal, 'linux')).toBeNull();
    const windowed = await program('windowed', `touch '${folder}/opened'; echo Chromium 156.0.0.1`);
    expect(await printedVersion(windowed, signal, 'win32')).toBeNull();
    const endpoint = { kind: 'endpoint', url: 'ws://127.0.0.1:9/devtools/browser/x', protocol: 'cdp' } as const;
    expect(await printedVersion(endpoint, signal, 'linux')).toBeNull();
  });
});
