/**
 * Finds what listens: native listeners the browser tells, closed shadow trees included; those of frameworks are on their
 * nodes, in the page's own world. Both are handed to our world, where elements are looked for.
 */
import type { CandidateList, FrameworkListeners } from '../../model/page-actions.ts';
import { mainAddress, orNothing } from '../extract/collect.ts';
import { SOURCE as CANDIDATES } from '../generated/candidates.ts';
import { SOURCE as FRAMEWORK } from '../generated/framework-listeners.ts';
import { FRAMEWORK_LIMIT, HANDS_LIMIT, SEARCHED_NODES } from '../limits/interaction-limits.ts';
import { runInPage, runInWorld, worldOf } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { NO_LISTENERS, parseCandidates, parseListeners } from './answer-shapes.ts';

/** Events by which a person does something; what else is listened for needs nobody. */
const USED: ReadonlySet<string> = new Set(
  (
    'click mousedown mouseup pointerdown pointerup touchstart touchend input change search toggle mouseover mouseenter pointerover ' +
    'pointerenter mousemove pointermove focus focusin keydown keyup keypress contextmenu dblclick'
  ).split(' '),
);
/** Stands among the events of an element that has the hand as its cursor. */
const HAND = 'hand';
const GROUP = 'orbweaver-listeners';

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

/** What is to be handed over. */
interface Heard {
  readonly fresh: readonly (readonly [node: number, types: readonly string[]])[];
  readonly ofWindow: readonly string[];
  readonly world: number;
}

export class ListenerSearch {
  readonly #page: WarmPage;
  /** Nodes that were handed over already, with their events. */
  readonly #handed = new Map<number, string>();
  #world: number | null = null;

  readonly #forms: boolean;

  /** @param forms are they wanted, too? */
  constructor(page: WarmPage, forms: boolean) {
    this.#page = page;
    this.#forms = forms;
  }

  /** The elements that a person might use now. @throws as `runInWorld` */
  async candidates(signal: AbortSignal): Promise<CandidateList> {
    await orNothing(this.#native(signal), this.#page, signal);
    const framework = (await orNothing(this.#framework(signal), this.#page, signal)) ?? NO_LISTENERS;
    const run = { source: CANDIDATES, input: { ...framework, forms: this.#forms }, parse: parseCandidates };
    return runInWorld(this.#page, mainAddress(this.#page), run, signal);
  }

  #framework(signal: AbortSignal): Promise<FrameworkListeners> {
    const run = { source: FRAMEWORK, input: null, parse: parseListeners, limit: FRAMEWORK_LIMIT };
    return runInPage(this.#page, run, signal);
  }

  async #native(signal: AbortSignal): Promise<void> {
    const page = this.#page;
    const { session } = page;
    const world = page.world ?? (await worldOf(page, mainAddress(page), signal));
    const isAnother = world !== this.#world;
    if (isAnother) this.#handed.clear();
    this.#world = world;
    const ofWindow = isAnother ? ((await orNothing(this.#ofWindow(signal), page, signal)) ?? []) : [];
    // the page's own: asked for listeners of the document as our world has it, Chromium 156 breaks the process's memory
    // (two pages of five failed with an illegal invocation or crashed)
    const asked = session.send('Runtime.evaluate', { expression: 'document', objectGroup: GROUP });
    const { objectId } = (await page.within(asked, 'the document', signal)).result;
    if (objectId === undefined) return;
    try {
      const listed = session.send('DOMDebugger.getEventListeners', { objectId, depth: -1, pierce: true });
      const { listeners } = await page.within(listed, 'the listeners', signal);
      const hands = (await orNothing(this.#hands(signal), page, signal)) ?? [];
      await this.#handOver({ fresh: this.#fresh([...listeners, ...hands]), ofWindow, world }, signal);
    } finally {
      session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => {}); // gone with its page
    }
  }

  /** Events that are heard wherever they happen. */
  async #ofWindow(signal: AbortSignal): Promise<readonly string[]> {
    const { session } = this.#page;
    const asked = session.send('Runtime.evaluate', { expression: 'window', objectGroup: GROUP });
    const { objectId } = (await this.#page.within(asked, 'the window', signal)).result;
    if (objectId === undefined) return [];
    const listed = session.send('DOMDebugger.getEventListeners', { objectId });
    const { listeners } = await this.#page.within(listed, 'the listeners', signal);
    return [...new Set(listeners.map(({ type }) => type))].filter((type) => USED.has(type));
  }

  /**
   * Elements that have the hand as their cursor, where what they stand in has not. One answer of the browser, closed trees
   * included, costs less than to ask for the style of every element.
   */
  async #hands(signal: AbortSignal): Promise<readonly { readonly type: string; readonly backendNodeId: number }[]> {
    const asked = this.#page.session.send('DOMSnapshot.captureSnapshot', { computedStyles: ['cursor'] });
    const { documents, strings } = await this.#page.within(asked, 'the cursors', signal);
    const [document] = documents;
    if (document === undefined) return [];
    const { nodes, layout } = document;
    const pointing = new Set<number>();
    layout.nodeIndex.forEach((node, at) => {
      if (strings[layout.styles[at]?.[0] ?? -1] === 'pointer') pointing.add(node);
    });
    return [...pointing]
      .filter((node) => !pointing.has(nodes.parentIndex?.[node] ?? -1))
      .flatMap((node) => nodes.backendNodeId?.[node] ?? [])
      .slice(0, HANDS_LIMIT)
      .map((backendNodeId) => ({ type: HAND, backendNodeId }));
  }

  /** Nodes that are not known yet, or listen for more than they did. */
  #fresh(
    listeners: readonly { readonly type: string; readonly backendNodeId?: number }[],
  ): readonly (readonly [node: number, types: readonly string[]])[] {
    const types = new Map<number, Set<string>>();
    for (const { type, backendNodeId } of listeners) {
      if (backendNodeId === undefined || !(USED.has(type) || type === HAND)) continue;
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

  async #handOver({ fresh, ofWindow, world }: Heard, signal: AbortSignal): Promise<void> {
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
