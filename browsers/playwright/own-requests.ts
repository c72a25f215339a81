/**
 * Playwright's own HTTP client (`context.request`, `page.request`, `route.fetch`) sends from this process, past the browser and past the
 * egress gate. It is switched off.
 */
import type { BrowserContext } from 'playwright-core';

/** Methods that the public ones and `route.fetch` end in. A test checks that they exist; the version is pinned. */
const METHODS = ['fetch', '_innerFetch'] as const;

export function withoutOwnRequests({ request }: BrowserContext): void {
  const refuse = async (): Promise<never> => {
    throw new Error('requests leave through pages alone: use page.evaluate(() => fetch(…))');
  };
  for (const method of METHODS) Object.defineProperty(request, method, { value: refuse });
}
