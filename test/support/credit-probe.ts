/** Queries of a frontier for tests of credit. */
import type { Frontier } from '../../src/frontier/frontier.ts';
import type { Visit } from '../../src/model/visit.ts';
import { at, request, seed, url } from './frontier-nouns.ts';

/** Credit of a pending page; 0 for any other. */
export async function creditOf(frontier: Frontier, text: string): Promise<number> {
  const state = await frontier.stateOf(url(text));
  return 'credit' in state ? state.credit : 0;
}

export function creditsOf(frontier: Frontier, texts: readonly string[]): Promise<readonly number[]> {
  return Promise.all(texts.map((text) => creditOf(frontier, text)));
}

/** The share that each waiting link gets from a page with this cash, beside ended links, which count for a sixteenth. */
export function shareOf(cash: number, waiting: number, ended = 0): number {
  return Math.floor((cash - Math.floor(cash / 10)) / (waiting + ended / 16));
}

const SEEDS = 64;

/** Leases a page with a 128th of all credit, and leaves nothing else queued: its payments stay too small for lambda to pay out. */
export async function smallPage(frontier: Frontier): Promise<{ readonly visit: Visit; readonly cash: number }> {
  await frontier.admit(
    Array.from({ length: SEEDS }, (_, index) => seed(`https://seed-${index}.example/`)),
    [],
    at(0),
  );
  const reply = await frontier.lease(request(0, { count: SEEDS }));
  const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
  if (visit === undefined) throw new Error('nothing leased');
  return { visit, cash: await creditOf(frontier, visit.url) };
}
