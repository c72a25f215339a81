import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { inPath } from '../../browsers/browser-places.mjs';
import { browserEnvironment } from '../../browsers/launch/find-browser.ts';

const TRACER = inPath(browserEnvironment(process.env, process.platform, homedir()).path, 'strace');
const SCRIPT = fileURLToPath(new URL('../docker/syscalls', import.meta.url));

it.runIf(TRACER !== null)("every system call of a crawl is allowed by the container's seccomp profile", async () => {
  // a failing script prints the reason on its standard output, too
  const { stdout } = await promisify(execFile)(SCRIPT).catch((error: { readonly stdout?: string }) => ({
    stdout: `${String(error)}\n${error.stdout ?? ''}`,
  }));
  expect(stdout).toMatch(/^\d+ system calls are made/);
  expect(stdout).not.toContain('UNKNOWN');
});
