/** A page of a launched browser, driven without a renderer: for tests of the browser's own behaviour and rights. */
import type { Browser, BrowserPage } from '../../browsers/protocol/browser.ts';

export interface RawPage {
  readonly page: BrowserPage;
  /** Resolves with the browser's text for a failure, or an empty text once the page has loaded. */
  readonly goto: (url: string) => Promise<string>;
  /** The value of an expression; a promise is awaited. */
  readonly evaluate: (expression: string) => Promise<unknown>;
}

export async function openRawPage(browser: Browser): Promise<RawPage> {
  const page = await (
    await browser.openContext({ userAgent: 'OrbweaverTest/1.0', viewport: { width: 800, height: 600 } })
  ).openPage();
  const { session } = page;
  await session.send('Page.enable');
  return {
    page,
    goto: async (url) => {
      const loaded = new Promise<void>((resolve) => void session.once('Page.loadEventFired', () => resolve()));
      const { errorText = '' } = await session.send('Page.navigate', { url });
      if (errorText === '') await loaded;
      return errorText;
    },
    evaluate: async (expression) => {
      const answer = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      return answer.result.value;
    },
  };
}
