import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { seconds } from '../../src/base/units.ts';
import type { FoundBrowser } from './find-browser.ts';

/** A program that prints its version does so at once, or hangs. */
const LIMIT = seconds(5);
const VERSION = /\bChrom(?:e|ium)\b[^\d\n]*(\d+(?:\.\d+){3})/;

/**
 * The version of a browser without starting it, which takes more than a second of processor time. Null where it runs already, or its program does not
 * print it: on Windows a browser opens a window instead.
 * @param platform as `process.platform`
 */
export async function printedVersion(
  browser: FoundBrowser,
  signal: AbortSignal,
  platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  if (browser.kind !== 'executable' || platform === 'win32') return null;
  const printed = await promisify(execFile)(browser.path, ['--version'], { timeout: LIMIT, signal }).catch(() => null);
  signal.throwIfAborted();
  return VERSION.exec(printed?.stdout ?? '')?.[1] ?? null;
}
