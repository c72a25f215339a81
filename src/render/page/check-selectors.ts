/** Tries a user's selectors before anything is visited: only a browser knows which ones it takes. */
import { z } from 'zod';
import { CrawlError } from '../../base/errors.ts';
import type { RenderOptions } from '../renderer.ts';
import { runInWorld } from './isolated-world.ts';
import type { WarmPage } from './warm-page.ts';

const SOURCE = `(selectors)=>JSON.stringify(selectors.map((selector)=>{
  try{document.createDocumentFragment().querySelector(selector);return true}catch{return false}}))`;
const verdicts = z.array(z.boolean());

type SelectorOptions = Pick<RenderOptions, 'waitFor' | 'selectLinks' | 'signedIn'>;

/** Is there anything to try? */
export function hasSelectors({ waitFor, selectLinks, signedIn }: SelectorOptions): boolean {
  return waitFor !== null || selectLinks.length > 0 || signedIn?.kind === 'selector';
}

/** @throws {CrawlError} USAGE for the first invalid one */
export async function checkSelectors(page: WarmPage, options: SelectorOptions, signal: AbortSignal): Promise<void> {
  const { waitFor, selectLinks, signedIn } = options;
  const given = [
    ...(waitFor === null ? [] : [{ option: 'wait-for', selector: waitFor }]),
    ...selectLinks.map(({ selector }) => ({ option: 'select-links', selector })),
    ...(signedIn?.kind === 'selector' ? [{ option: 'signed-in', selector: signedIn.selector }] : []),
  ];
  const frame = { session: page.session, frameId: page.frameId, url: null };
  const input = given.map(({ selector }) => selector);
  const parse = (answer: unknown): readonly boolean[] | null => verdicts.safeParse(answer).data ?? null;
  const accepted = await runInWorld(page, frame, { source: SOURCE, input, parse }, signal);
  const wrong = given.find((_one, index) => accepted[index] !== true);
  if (wrong === undefined) return;
  throw new CrawlError(
    'USAGE',
    `--${wrong.option}: "${wrong.selector.slice(0, 200)}" is not a CSS selector\n` +
      'Try it in the console of a browser: document.querySelector("…")',
    { data: { option: wrong.option } },
  );
}
