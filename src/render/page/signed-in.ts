/** Checks whether a page shows that it was loaded signed in. */
import type { SignedInMark } from '../../core/sign-in/signed-in-mark.ts';
import { runInWorld } from './isolated-world.ts';
import type { WarmPage } from './warm-page.ts';

const SOURCE = '(selector)=>{try{return document.querySelector(selector)!==null}catch{return false}}';

/**
 * Looks for the mark in the document that the page shows, its main frame alone.
 * @param url of that document
 * @returns null where there is no mark, where it is one of the address, and where the page answers no more
 */
export async function showsMark(
  page: WarmPage,
  mark: SignedInMark | null,
  url: string,
  signal: AbortSignal,
): Promise<boolean | null> {
  if (mark === null || mark.kind === 'url') return null;
  try {
    const there =
      mark.kind === 'selector' ? await holds(page, mark.selector, signal) : await has(page, mark.name, url, signal);
    return there !== mark.contrary;
  } catch {
    if (!page.gone.aborted) signal.throwIfAborted();
    return null;
  }
}

function holds(page: WarmPage, selector: string, signal: AbortSignal): Promise<boolean> {
  const frame = { session: page.session, frameId: page.frameId, url: null };
  const parse = (answer: unknown): boolean | null => (typeof answer === 'boolean' ? answer : null);
  return runInWorld(page, frame, { source: SOURCE, input: selector, parse }, signal);
}

async function has(page: WarmPage, name: string, url: string, signal: AbortSignal): Promise<boolean> {
  const asked = page.session.send('Network.getCookies', { urls: [url] });
  const { cookies } = await page.within(asked, 'the cookies of the page', signal);
  return cookies.some((cookie) => cookie.name === name);
}
