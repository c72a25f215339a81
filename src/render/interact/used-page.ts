/**
 * A page with the frames in it that have no address of their own (`srcdoc`, `about:blank`, written by scripts): no visit of
 * their own will ever use them. Keys of elements in a frame begin with the frame's place.
 */
import type {
  ActInput,
  ActionCandidate,
  ActionKind,
  ActResult,
  CandidateList,
  PageState,
} from '../../model/page-actions.ts';
import { childAddresses, mainAddress, orNothing } from '../extract/collect.ts';
import { SOURCE as ACT } from '../generated/act.ts';
import { SOURCE as STATE } from '../generated/page-state.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import { ACTION_TIME, ACT_LIMIT, TRANSITIONS, USED_FRAMES } from '../limits/interaction-limits.ts';
import { runInWorld, type FrameAddress } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { parseAct, parseState } from './answer-shapes.ts';
import { ranOn } from './hung-action.ts';
import { KeySearch } from './key-search.ts';
import { ListenerSearch } from './listener-search.ts';

interface UsedFrame {
  readonly address: FrameAddress;
  readonly search: ListenerSearch;
}

/** An action on an element. */
interface Use {
  readonly key: string;
  readonly action: ActionKind;
  readonly turn: number;
}

const GONE: ActResult = { end: 'gone', x: 0, y: 0 };

export class UsedPage {
  readonly #page: WarmPage;
  /** Are forms wanted, too? */
  readonly #forms: boolean;
  readonly #keys: KeySearch;
  #search: ListenerSearch;
  /** The frames, by their places among all frames. */
  #frames = new Map<string, UsedFrame>();
  #state: PageState | null = null;
  #there: ReadonlySet<string> = new Set();
  #hangs = 0;

  constructor(page: WarmPage, forms: boolean) {
    this.#page = page;
    this.#forms = forms;
    this.#keys = new KeySearch(page);
    this.#search = new ListenerSearch(page, mainAddress(page), { forms, keys: this.#keys });
  }

  /** The state of the page at the last look. */
  get state(): PageState | null {
    return this.#state;
  }

  /** Actions that the browser had to end. */
  get hangs(): number {
    return this.#hangs;
  }

  /** Keys of the elements that could be used when the page was last listed. */
  get there(): ReadonlySet<string> {
    return this.#there;
  }

  /** Called when the document was loaded again: nothing of it is known. */
  loadedAgain(): void {
    this.#search = new ListenerSearch(this.#page, mainAddress(this.#page), { forms: this.#forms, keys: this.#keys });
    this.#frames.clear();
  }

  /** The elements that a person might use now. @throws as `runInWorld` */
  async list(signal: AbortSignal): Promise<CandidateList> {
    const main = await this.#search.candidates(signal);
    const candidates = [...main.candidates];
    const states = [main.state];
    await this.#findFrames(signal);
    for (const [place, { search }] of this.#frames) {
      const list = await orNothing(search.candidates(signal), this.#page, signal);
      if (list === null) continue;
      candidates.push(...list.candidates.map((candidate) => inFrame(candidate, place)));
      states.push(list.state);
    }
    this.#there = new Set(candidates.map(({ key }) => key));
    this.#state = joined(states);
    return { ...main, candidates, state: this.#state };
  }

  /** @param before the action to do first, on the page itself */
  async look(before: 'nothing' | 'escape' | 'back', signal: AbortSignal): Promise<PageState> {
    const run = { source: STATE, input: before, parse: parseState };
    const states = [await runInWorld(this.#page, mainAddress(this.#page), run, signal)];
    for (const { address } of this.#frames.values()) {
      const ofFrame = { ...run, input: 'nothing' };
      const state = await orNothing(runInWorld(this.#page, address, ofFrame, signal), this.#page, signal);
      if (state !== null) states.push(state);
    }
    this.#state = joined(states);
    return this.#state;
  }

  /** Looks at the page once the view transitions that an action began have changed it. */
  async lookOn(idleWait: Pick<IdleWait, 'more'>, signal: AbortSignal): Promise<PageState> {
    let state = await this.look('nothing', signal);
    for (let time = 0; state.inTransition && time < TRANSITIONS; time++) {
      await idleWait.more(ACTION_TIME, signal);
      state = await this.look('nothing', signal);
    }
    return state;
  }

  /** Does an action on the element of a key as a person would. */
  async act({ key, action, turn }: Use, signal: AbortSignal): Promise<ActResult> {
    const [name, place] = parted(key);
    const address = place === null ? mainAddress(this.#page) : this.#frames.get(place)?.address;
    if (address === undefined) return GONE;
    const input: ActInput = { key: name, action, turn, keys: action === 'key' ? this.#keys.keys : [] };
    const run = { source: ACT, input, parse: parseAct, gesture: true, limit: ACT_LIMIT };
    try {
      return await runInWorld(this.#page, address, run, signal);
    } catch (error) {
      if (await ranOn(this.#page, error, signal)) {
        this.#hangs += 1;
        return { end: 'done', x: 0, y: 0 };
      }
      if (place === null) throw error;
      signal.throwIfAborted();
      this.#page.gone.throwIfAborted();
      return GONE; // gone with its frame
    }
  }

  /** Counts one more action that the browser had to end. */
  hung(): void {
    this.#hangs += 1;
  }

  async #findFrames(signal: AbortSignal): Promise<void> {
    const page = this.#page;
    const addresses = page.watch.frameCount > 1 ? await orNothing(childAddresses(page, signal), page, signal) : [];
    const found = new Map<string, UsedFrame>();
    for (const [index, address] of (addresses ?? []).entries()) {
      if (found.size >= USED_FRAMES) break;
      if (address.session !== page.session || hasAddress(address, page.shows)) continue;
      const place = String(index);
      const known = this.#frames.get(place);
      const isKnown = known !== undefined && known.address.frameId === address.frameId;
      found.set(
        place,
        isKnown ? known : { address, search: new ListenerSearch(page, address, { forms: false, keys: this.#keys }) },
      );
    }
    this.#frames = found;
  }
}

/** Does a key stand for an element of the page itself? */
export function isOfPage(key: string): boolean {
  return parted(key)[1] === null;
}

function inFrame(candidate: ActionCandidate, place: string): ActionCandidate {
  return { ...candidate, key: `${place}/${candidate.key}`, template: `${place}/${candidate.template}` };
}

function parted(key: string): readonly [name: string, place: string | null] {
  const at = key.indexOf('/');
  return at < 0 ? [key, null] : [key.slice(at + 1), key.slice(0, at)];
}

/** Has the frame an address of its own? A frame that a script has written has the address of the script's page. */
function hasAddress({ url }: FrameAddress, page: string): boolean {
  return url !== null && /^https?:/i.test(url) && url.split('#', 1)[0] !== page;
}

function joined(states: readonly PageState[]): PageState {
  const [main, ...frames] = states;
  if (main === undefined) throw new TypeError('a page has a state');
  return {
    url: main.url,
    signature: [main, ...frames].map(({ signature }) => signature).join('.'),
    novel: states.reduce((sum, { novel }) => sum + novel, 0),
    navigations: states.reduce((sum, { navigations }) => sum + navigations, 0),
    inTransition: states.some(({ inTransition }) => inTransition),
  };
}

/** The address of a page, without the place in it; the route of an application is part of it. */
export function pageOf(url: string): string {
  const [address = '', fragment = ''] = url.split('#', 2);
  return /^[/!]/.test(fragment) ? url : address;
}
