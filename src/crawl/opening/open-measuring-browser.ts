/** A browser that shows pages as their readers see them: frames come by themselves, and time is real. Its only way out is the egress proxy. */
import type { FoundBrowser } from '../../../browsers/launch/find-browser.ts';
import { LiveBrowser, type LiveBrowserOptions } from '../../render/live-browser.ts';
import { launchContained } from './launch-contained.ts';

type ContainedParts = Parameters<typeof launchContained>[1];

/** @throws what the launch throws */
export async function openMeasuringBrowser(
  found: FoundBrowser,
  parts: ContainedParts,
  pages: LiveBrowserOptions,
  signal: AbortSignal,
): Promise<LiveBrowser> {
  const launchOptions = { ...parts.launchOptions, frameControl: false };
  const { browser } = await launchContained(found, { ...parts, launchOptions }, signal);
  const live = new LiveBrowser(browser, pages);
  live.watch(signal).catch(() => {}); // it has gone, or nothing is measured any more
  return live;
}
