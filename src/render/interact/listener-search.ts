/**
 * Finds listeners: the browser reports native ones, closed shadow trees included; frameworks keep theirs on their nodes, in the page's
 * own world. Both are handed to our world, where the elements are looked up.
 */
import type { CandidateInput, CandidateList, FrameworkListeners } from '../../model/page-actions.ts';
import { isHeardBy, USED_EVENTS } from '../../model/used-events.ts';
import { orNothing } from '../extract/collect.ts';
import { SOURCE as CANDIDATES } from '../generated/candidates.ts';
import { SOURCE as FRAMEWORK } from '../generated/framework-listeners.ts';
import {
  FRAMEWORK_LIMIT,
  HANDS_LIMIT,
  KEY_HANDLERS,
  KEY_HANDLER_LENGTH,
  SEARCHED_NODES,
} from '../limits/interaction-limits.ts';
import { runBeside, runInPage, runInWorld, worldOf, type FrameAddress } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { NO_LISTENERS, parseCandidates, parseListeners, parseSources } from './answer-shapes.ts';
import type { KeySearch } from './key-search.ts';

/** Pseudo-event of an element whose cursor is the hand. */
const HAND = 'hand';
const GROUP = 'orbweaver-listeners';

/** Returns the sources of handlers; runs in the page's own world. */
const SOURCES = `function(...handlers){
  return handlers.map((handler)=>{try{return Function.prototype.toString.call(handler).slice(0,${KEY_HANDLER_LENGTH})}catch{return''}});
}`;

/** Hands elements over to our world, where the other scripts find them; `html` stands for its document and window as well. */
const HAND_OVER = `function(types,ofWindow,...nodes){
  const known=globalThis.orbweaverListening??=new Map();
  const add=(element,events)=>known.set(element,new Set([...known.get(element)??[],...events]));
  const root=document.documentElement;
  nodes.forEach((node,index)=>{
    if(node instanceof Document&&root)add(root,types[index]);
    else if(node===root)add(root,types[index]);
    else if(node instanceof Element)known.set(node,new Set(types[index]));
  });
  if(root)add(root,ofWindow);
}`;

/** Listeners to be handed over. */
interface FoundListeners {
  readonly fresh: readonly (readonly [node: number, types: readonly string[]])[];
  readonly ofWindow: readonly string[];
  readonly world: number;
}

/** The browser's report of a listener. */
interface Listening {
  readonly type: string;
  readonly backendNodeId?: number;
  readonly handler?: { readonly objectId?: string };
}

interface OwnNodes {
  readonly nodes: ReadonlySet<number>;
  readonly hands: readonly Listening[];
}

export class ListenerSearch {
  readonly #page: WarmPage;
  /** Nodes that were handed over already, with their events. */
  readonly #handed = new Map<number, string>();
  #world: number | null = null;

  readonly #frame: FrameAddress;
  readonly #forms: boolean;
  readonly #keys: KeySearch;
  /** Does anything listen to keys? */
  #hearsKeys = false;
  /** Sources of handlers of key events. */
  readonly #handlers = new Set<string>();

  /**
   * @param frame the place of the search: the page itself, or a frame of its process
   * @param forms are forms wanted, too?
   */
  constructor(
    page: WarmPage,
    frame: FrameAddress,
    { forms, keys }: { readonly forms: boolean; readonly keys: KeySearch },
  ) {
    this.#page = page;
    this.#keys = keys;
    this.#frame = frame;
    this.#forms = forms;
  }

  /** The elements that a person might use now. @throws as `runInWorld` */
  async candidates(signal: AbortSignal): Promise<CandidateList> {
    const page = this.#page;
    try {
      const document = await orNothing(this.#document(signal), page, signal);
      if (document !== null) await orNothing(this.#native(document, signal), page, signal);
      const asked = document === null ? null : await orNothing(this.#framework(document, signal), page, signal);
      const { keyed, ...listeners } = asked ?? NO_LISTENERS;
      if (this.#hearsKeys || keyed.length > 0) await this.#keys.learn([...keyed, ...this.#handlers], signal);
      const input: CandidateInput = { ...listeners, forms: this.#forms, keys: this.#keys.keys.length };
      return await runInWorld(page, this.#frame, { source: CANDIDATES, input, parse: parseCandidates }, signal);
    } finally {
      page.session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => {}); // gone with its page
    }
  }

  /**
   * The document as an object of the page's own world: asked for listeners of the document as our world has it, Chromium 156
   * breaks the process's memory (two pages of five failed with an illegal invocation or crashed).
   */
  async #document(signal: AbortSignal): Promise<string | null> {
    const page = this.#page;
    const { session } = page;
    if (this.#isPage) {
      const asked = session.send('Runtime.evaluate', { expression: 'document', objectGroup: GROUP });
      return (await page.within(asked, 'the document', signal)).result.objectId ?? null;
    }
    const frameId = this.#frame.frameId;
    const { backendNodeId } = await page.within(session.send('DOM.getFrameOwner', { frameId }), 'a frame', signal);
    const described = session.send('DOM.describeNode', { backendNodeId, pierce: true });
    const { node } = await page.within(described, 'a frame', signal);
    if (node.contentDocument === undefined) return null;
    const { backendNodeId: inside } = node.contentDocument;
    const resolved = session.send('DOM.resolveNode', { backendNodeId: inside, objectGroup: GROUP });
    return (await page.within(resolved, 'the document of a frame', signal)).object.objectId ?? null;
  }

  get #isPage(): boolean {
    return this.#frame.frameId === this.#page.frameId;
  }

  #framework(document: string, signal: AbortSignal): Promise<FrameworkListeners> {
    const run = { source: FRAMEWORK, input: null, parse: parseListeners, limit: FRAMEWORK_LIMIT };
    return this.#isPage ? runInPage(this.#page, run, signal) : runBeside(this.#page, document, run, signal);
  }

  async #native(document: string, signal: AbortSignal): Promise<void> {
    const page = this.#page;
    const { session } = page;
    const known = this.#isPage ? page.world : null;
    const world = known ?? (await worldOf(page, this.#frame, signal));
    const isAnother = world !== this.#world;
    if (isAnother) this.#handed.clear();
    this.#world = world;
    const ofWindow = isAnother ? ((await orNothing(this.#ofWindow(document, signal), page, signal)) ?? []) : [];
    const listed = session.send('DOMDebugger.getEventListeners', { objectId: document, depth: -1, pierce: true });
    const { listeners } = await page.within(listed, 'the listeners', signal);
    const own = await orNothing(this.#ownNodes(signal), page, signal);
    // the browser names nodes of frames, too. A node becomes an object of the document that first asks for it: in its own frame it
    // would be no element any more
    const isOwn = ({ backendNodeId = 0 }: Listening): boolean =>
      own?.nodes.has(backendNodeId) ?? page.watch.frameCount === 1;
    const listening = [...listeners.filter(isOwn), ...(own?.hands ?? [])];
    await this.#readHandlers(document, listening, signal);
    await this.#handOver({ fresh: this.#fresh(listening), ofWindow, world }, signal);
  }

  /** Reads the handlers of key events: the keys that they compare with are the ones to strike. */
  async #readHandlers(objectId: string, listeners: readonly Listening[], signal: AbortSignal): Promise<void> {
    const keyed = listeners.filter(({ type }) => isHeardBy('key', new Set([type])));
    this.#hearsKeys ||= keyed.length > 0;
    const ids = keyed.flatMap(({ handler }) => handler?.objectId ?? []).slice(0, KEY_HANDLERS);
    if (ids.length === 0) return;
    const call = this.#page.session.send('Runtime.callFunctionOn', {
      ...{ objectId, functionDeclaration: SOURCES, returnByValue: true },
      arguments: ids.map((id) => ({ objectId: id })),
    });
    const answer = await orNothing(this.#page.within(call, 'the handlers of keys', signal), this.#page, signal);
    for (const source of parseSources(answer?.result.value) ?? []) {
      if (source !== '' && this.#handlers.size < KEY_HANDLERS) this.#handlers.add(source);
    }
  }

  /** Events that the window listens to: it gets those of every element. */
  async #ofWindow(document: string, signal: AbortSignal): Promise<readonly string[]> {
    const { session } = this.#page;
    const asked = this.#isPage
      ? session.send('Runtime.evaluate', { expression: 'window', objectGroup: GROUP })
      : session.send('Runtime.callFunctionOn', {
          ...{ objectId: document, objectGroup: GROUP },
          functionDeclaration: 'function(){return this.defaultView}',
        });
    const { objectId } = (await this.#page.within(asked, 'the window', signal)).result;
    if (objectId === undefined) return [];
    const listed = session.send('DOMDebugger.getEventListeners', { objectId });
    const { listeners } = await this.#page.within(listed, 'the listeners', signal);
    await this.#readHandlers(document, listeners, signal);
    return [...new Set(listeners.map(({ type }) => type))].filter((type) => USED_EVENTS.has(type));
  }

  /**
   * The nodes of this document, closed trees included; and elements that have the hand as their cursor while their parents have not. One
   * answer of the browser costs less than asking for the style of every element.
   */
  async #ownNodes(signal: AbortSignal): Promise<OwnNodes | null> {
    const asked = this.#page.session.send('DOMSnapshot.captureSnapshot', { computedStyles: ['cursor'] });
    const { documents, strings } = await this.#page.within(asked, 'the cursors', signal);
    const document = documents.find(({ frameId }) => strings[frameId] === this.#frame.frameId);
    if (document === undefined) return null;
    const { nodes, layout } = document;
    const pointing = new Set<number>();
    layout.nodeIndex.forEach((node, at) => {
      if (strings[layout.styles[at]?.[0] ?? -1] === 'pointer') pointing.add(node);
    });
    const hands = [...pointing]
      .filter((node) => !pointing.has(nodes.parentIndex?.[node] ?? -1))
      .flatMap((node) => nodes.backendNodeId?.[node] ?? [])
      .slice(0, HANDS_LIMIT)
      .map((backendNodeId) => ({ type: HAND, backendNodeId }));
    return { nodes: new Set(nodes.backendNodeId), hands };
  }

  /** Nodes that are not known yet, or listen for more than they did. */
  #fresh(listeners: readonly Listening[]): readonly (readonly [node: number, types: readonly string[]])[] {
    const types = new Map<number, Set<string>>();
    for (const { type, backendNodeId } of listeners) {
      if (backendNodeId === undefined || !(USED_EVENTS.has(type) || type === HAND)) continue;
      const known = types.get(backendNodeId) ?? new Set();
      types.set(backendNodeId, known.add(type));
    }
    const fresh = [...types]
      .map(([node, names]): readonly [number, readonly string[]] => [node, [...names].sort()])
      .filter(([node, names]) => this.#handed.get(node) !== names.join(' '))
      .slice(0, SEARCHED_NODES);
    for (const [node, names] of fresh) this.#handed.set(node, names.join(' '));
    return fresh;
  }

  async #handOver({ fresh, ofWindow, world }: FoundListeners, signal: AbortSignal): Promise<void> {
    if (fresh.length === 0 && ofWindow.length === 0) return;
    const page = this.#page;
    const { session } = page;
    const resolve = async ([backendNodeId, types]: (typeof fresh)[number]): Promise<
      readonly [string, readonly string[]] | null
    > => {
      try {
        const { object } = await session.send('DOM.resolveNode', {
          backendNodeId,
          executionContextId: world,
          objectGroup: GROUP,
        });
        return object.objectId === undefined ? null : [object.objectId, types];
      } catch {
        return null; // of another frame, or gone
      }
    };
    const resolved = await page.within(Promise.all(fresh.map(resolve)), 'the nodes that listen', signal);
    const nodes = resolved.filter((node) => node !== null);
    const call = session.send('Runtime.callFunctionOn', {
      functionDeclaration: HAND_OVER,
      executionContextId: world,
      arguments: [
        { value: nodes.map(([, types]) => types) },
        { value: ofWindow },
        ...nodes.map(([objectId]) => ({ objectId })),
      ],
    });
    await page.within(call, 'handing over nodes', signal);
  }
}
