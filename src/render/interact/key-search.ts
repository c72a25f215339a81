/** The keys that the scripts of a page compare with: those of the handlers of key events, then those of all its scripts. */
import { comparedKeys } from '../../core/interaction/compared-keys.ts';
import type { KeyPress } from '../../model/page-actions.ts';
import type { Task } from '../../offload/task.ts';
import { mainAddress, orNothing } from '../extract/collect.ts';
import { SOURCE as KEY_TEXTS } from '../generated/key-texts.ts';
import { KEYS_STRUCK, KEY_SCRIPTS, KEY_SCRIPT_LENGTH } from '../limits/interaction-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import type { WatchedRequest } from '../page/watched-request.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { parseTexts } from './answer-shapes.ts';

export const COMPARED_KEYS: Task<readonly string[], readonly KeyPress[]> = {
  name: 'keys of scripts',
  run: (texts) => texts.flatMap(comparedKeys),
};

export class KeySearch {
  readonly #page: WarmPage;
  readonly #handlers = new Map<string, KeyPress>();
  #scripts: readonly KeyPress[] | null = null;
  #seen = new Set<string>();

  constructor(page: WarmPage) {
    this.#page = page;
  }

  /** The keys in the order in which they are struck; a key that closes something comes last. */
  get keys(): readonly KeyPress[] {
    const all = new Map([...this.#handlers, ...(this.#scripts ?? []).map((key) => [nameOf(key), key] as const)]);
    const closes = ({ key }: KeyPress): boolean => key === 'Escape';
    const keys = [...all.values()].filter((key) => !closes(key)).slice(0, KEYS_STRUCK);
    return [...keys, ...[...all.values()].filter(closes)];
  }

  /** @param sources of handlers of key events; the first call reads the scripts of the page, too */
  async learn(sources: readonly string[], signal: AbortSignal): Promise<void> {
    const fresh = sources.filter((source) => !this.#seen.has(source));
    for (const source of fresh) this.#seen.add(source);
    for (const key of await this.#keysIn(fresh, signal)) this.#handlers.set(nameOf(key), key);
    if (this.#scripts !== null) return;
    this.#scripts = [];
    this.#scripts = ranked(await this.#keysIn(await this.#texts(signal), signal));
  }

  async #keysIn(texts: readonly string[], signal: AbortSignal): Promise<readonly KeyPress[]> {
    if (texts.length === 0) return [];
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    const read = await this.#page.offload.run(COMPARED_KEYS, texts, { url: this.#page.shows, size }, signal);
    return read.kind === 'done' ? read.value : [];
  }

  async #texts(signal: AbortSignal): Promise<readonly string[]> {
    const page = this.#page;
    const run = { source: KEY_TEXTS, input: null, parse: parseTexts };
    const inside = await orNothing(runInWorld(page, mainAddress(page), run, signal), page, signal);
    const isOwn = ({ url }: WatchedRequest): boolean => page.isOfDomain(url);
    const scripts = page.watch.requests.filter(
      ({ type, ended, status }) => type === 'script' && ended && status === 200,
    );
    const chosen = [...scripts.filter(isOwn), ...scripts.filter((script) => !isOwn(script))].slice(0, KEY_SCRIPTS);
    const asked = chosen.map(({ id }) => this.#bodyOf(id, signal));
    const loaded = (await Promise.all(asked)).filter((text) => text !== null);
    return [...(inside ?? []), ...loaded];
  }

  async #bodyOf(requestId: string, signal: AbortSignal): Promise<string | null> {
    const page = this.#page;
    const asked = page.within(page.session.send('Network.getResponseBody', { requestId }), 'a script', signal);
    const answer = await orNothing(asked, page, signal);
    return answer === null || answer.base64Encoded ? null : answer.body.slice(0, KEY_SCRIPT_LENGTH);
  }
}

function nameOf({ key, ctrl, alt, shift }: KeyPress): string {
  return `${key} ${ctrl} ${alt} ${shift}`;
}

/** Orders the keys of all scripts: letters and figures first, as every library compares with the keys that move and close. */
function ranked(keys: readonly KeyPress[]): readonly KeyPress[] {
  const isLetter = ({ key }: KeyPress): boolean => key.length === 1 && key !== ' ';
  return [...keys.filter(isLetter), ...keys.filter((key) => !isLetter(key))];
}
