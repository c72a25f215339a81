/**
 * Progress of the consent dialogs of a page, from the engine's messages in its frames. A frame with the engine is `looking` until the
 * engine has found nothing, or a dialog. A dialog is `found`, then `asked` (the engine works on it), then in one of its end stages.
 */
import type { ConsentMode, ConsentState } from '../../model/consent.ts';
import { isFoundByWords } from './consent-action.ts';

/** A message of the engine, as far as it matters. */
export type ConsentEvent =
  | { readonly kind: 'nothing-found' }
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'asked' }
  /** Its steps have ended. */
  | { readonly kind: 'acted'; readonly done: boolean }
  /** That was the last of its steps: no other dialog follows. */
  | { readonly kind: 'done'; readonly hides: boolean }
  /** The engine checked whether the clicked button is gone. */
  | { readonly kind: 'tested'; readonly gone: boolean }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'left' }
  /** Its document was removed. */
  | { readonly kind: 'gone' };

type DialogEnd = 'answered' | 'hidden' | 'went-on' | 'stays';

interface FrameProgress {
  readonly name: string | null;
  readonly stage: 'looking' | 'clear' | 'found' | 'asked' | 'clicked' | DialogEnd;
}

const LOOKING: FrameProgress = { name: null, stage: 'looking' };
const UNDER_WAY: ReadonlySet<FrameProgress['stage']> = new Set(['looking', 'found', 'asked', 'clicked']);

export class ConsentProgress {
  readonly #mode: ConsentMode;
  readonly #frames = new Map<string, FrameProgress>();
  #answeredBefore = false;
  #stopped = false;

  constructor(mode: ConsentMode) {
    this.#mode = mode;
  }

  /** The engine was let into a frame. */
  entered(frame: string): void {
    this.#frames.set(frame, LOOKING);
  }

  /** @param frame one with the engine; events of other frames are ignored */
  note(frame: string, event: ConsentEvent): void {
    const before = this.#frames.get(frame);
    if (before !== undefined) this.#frames.set(frame, after(before, event, this.#mode));
  }

  /** The document was reloaded: answers to its dialogs are remembered, and the new document is examined afresh. */
  reloaded(): void {
    this.#answeredBefore ||= [...this.#frames.values()].some(
      ({ stage }) => stage === 'asked' || stage === 'clicked' || stage === 'answered',
    );
    this.#frames.clear();
    this.#stopped = false;
  }

  /** A navigation of the page was stopped; it may have been meant to send the answer. */
  navigationStopped(): void {
    this.#stopped = true;
  }

  /** Is the engine at work anywhere? */
  get underWay(): boolean {
    return [...this.#frames.values()].some(({ stage }) => UNDER_WAY.has(stage) || stage === 'went-on');
  }

  /** Was a dialog found in the document that is shown? */
  get hasDialog(): boolean {
    return [...this.#frames.values()].some(({ name }) => name !== null);
  }

  /** Has a dialog been dealt with, so that nothing more is looked for? */
  get answered(): boolean {
    return [...this.#frames.values()].some(({ stage }) => stage === 'answered' || stage === 'hidden');
  }

  /** The current state. */
  get state(): ConsentState {
    const dialogs = [...this.#frames.values()].filter(({ name }) => name !== null);
    const word = this.#mode === 'accept' ? 'accepted' : 'rejected';
    if (dialogs.length === 0) return this.#answeredBefore ? word : 'none';
    const ends = new Set(dialogs.map(({ stage }) => stage));
    if (this.#stopped || ends.has('stays') || dialogs.some(({ stage }) => UNDER_WAY.has(stage))) return 'shown';
    if (ends.has('answered')) return word;
    // a dialog that only led on to another, which never came, is not answered
    return ends.has('hidden') ? 'hidden' : 'shown';
  }
}

function after(before: FrameProgress, event: ConsentEvent, mode: ConsentMode): FrameProgress {
  const { name } = before;
  switch (event.kind) {
    case 'nothing-found':
      return name === null ? { name, stage: 'clear' } : before;
    case 'found':
      return name === null ? { name: event.name, stage: 'found' } : before; // the engine deals with the first
    case 'asked':
      return name === null ? before : { name, stage: 'asked' };
    case 'acted':
      if (before.stage !== 'asked') return before;
      return { name, stage: event.done ? (isFoundByWords(name ?? '') ? 'clicked' : 'went-on') : 'stays' };
    case 'done':
      if (before.stage !== 'went-on') return before;
      return { name, stage: event.hides && mode !== 'accept' ? 'hidden' : 'answered' };
    case 'tested':
      return before.stage === 'clicked' ? { name, stage: event.gone ? 'answered' : 'stays' } : before;
    case 'hidden':
      return { name, stage: 'hidden' };
    case 'left':
      return { name, stage: 'stays' };
    case 'gone':
      if (name === null || before.stage === 'found') return { name: null, stage: 'clear' };
      // a dialog that fills a frame vanishes with its answer, before the engine can report it
      return { name, stage: UNDER_WAY.has(before.stage) || before.stage === 'went-on' ? 'answered' : before.stage };
  }
}
