/**
 * The border to the browser while the crawler interacts with a page: messages to and from the exploring scripts of `browsers/inpage`.
 * `render/interact/answer-shapes.ts` validates what arrives.
 */

/** What can be done to an element. */
export const ACTION_KINDS = [
  'click',
  'hover',
  'leave',
  'focus',
  'blur',
  'key',
  'press',
  'double',
  'wheel',
  'drag',
  'select',
  'open',
  'enter',
] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** An element that a person might use. */
export interface ActionCandidate {
  /** Names the element in its document, and the same one after the document was loaded again. */
  readonly key: string;
  /** Shared by elements that are made alike: the rows of a list, the buttons of its rows. */
  readonly template: string;
  /** Words on it that a person reads. */
  readonly words: string;
  /** Words that a developer reads: id, classes, name, data attributes, address. */
  readonly marks: string;
  readonly actions: readonly ActionKind[];
  /** Choices of a select; what may be written into a field. */
  readonly options: number;
  /** Turns of the action `key`: what is struck one after the other. */
  readonly keyTurns: number;
  readonly visible: boolean;
  /** True if a listener is known; false if it only looks as if there were one. */
  readonly listens: boolean;
  /** True if only its looks, and a listener further up, speak for it. */
  readonly guessed: boolean;
  /** Would a click send a form? */
  readonly sends: boolean;
}

/** The present state of the page. */
export interface PageState {
  /** Hash of structure, links and address: distinguishes states. */
  readonly signature: string;
  readonly url: string;
  /** Addresses that were on none of the states seen before. */
  readonly novel: number;
  /** Navigations that the document asked for so far. */
  readonly navigations: number;
}

export interface CandidateList {
  readonly state: PageState;
  readonly candidates: readonly ActionCandidate[];
  /** Forms, and fields without one, in the order of the document. */
  readonly forms: readonly FormFacts[];
}

/** Report of a script in the page's own world about the listeners that frameworks keep on their nodes: hostile until validated. */
export interface FrameworkListeners {
  /** Place of the element in the composed tree, and the events it is said to listen for. */
  readonly nodes: readonly (readonly [index: number, events: readonly string[]])[];
  /** Delegated: events and the selector of those that they are meant for. */
  readonly delegated: readonly (readonly [events: readonly string[], selector: string])[];
  /** Sources of handlers of key events. */
  readonly keyed: readonly string[];
}

/** What the page script that looks for candidates is sent. */
export interface CandidateInput extends Omit<FrameworkListeners, 'keyed'> {
  /** Are forms wanted, too? */
  readonly forms: boolean;
  /** How many keys the scripts of the page compare with. */
  readonly keys: number;
}

/** A key with what is held down beside it. */
export interface KeyPress {
  /** As `KeyboardEvent.key`, `code` and `keyCode`. */
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export interface ActInput {
  readonly key: string;
  readonly action: ActionKind;
  /** Which choice or key: a number of the action's own. */
  readonly turn: number;
  /** Keys that the scripts of the page compare with. */
  readonly keys: readonly KeyPress[];
}

/** `gone`: the element is not there any more; `idle`: it is, and cannot be used now. */
export const ACT_ENDS = ['done', 'gone', 'idle'] as const;

/** How an action went. */
export interface ActResult {
  readonly end: (typeof ACT_ENDS)[number];
  /** Middle of the element in the viewport; for real input. */
  readonly x: number;
  readonly y: number;
}

/** A field of a form, as far as its value can be guessed from it. */
export interface FieldFacts {
  /** Place among the fields of its form. */
  readonly index: number;
  readonly tag: 'input' | 'select' | 'textarea' | 'editable';
  readonly type: string;
  readonly name: string;
  readonly autocomplete: string;
  /** Label, placeholder, aria-label, id: what a person goes by. */
  readonly label: string;
  readonly pattern: string;
  readonly min: string;
  readonly max: string;
  readonly step: string;
  readonly minLength: number;
  readonly maxLength: number;
  readonly required: boolean;
  readonly filled: boolean;
  readonly checked: boolean;
  /** Values of the choices that can be chosen. */
  readonly options: readonly string[];
  readonly visible: boolean;
}

export interface FormFacts {
  readonly key: string;
  readonly template: string;
  readonly method: string;
  readonly action: string;
  readonly fields: readonly FieldFacts[];
  /** The buttons that may send it or lead on, in order. */
  readonly buttons: readonly { readonly words: string; readonly marks: string }[];
  /** Words of the form: with those of its buttons they show whether it is destructive. */
  readonly words: string;
  readonly marks: string;
  readonly visible: boolean;
}

export interface FillInput {
  readonly key: string;
  readonly values: readonly FieldValue[];
  /** Place of the button to press among the form's buttons that may be pressed; null: Enter in its last field, and the form is sent by itself. */
  readonly button: number | null;
}

export interface FieldValue {
  readonly index: number;
  /** Text, or the value of a choice. */
  readonly value: string;
  /** For boxes and radio buttons. */
  readonly check: boolean;
}

/**
 * Where to: the ends of everything, its start, one view on, two views back, the next place that waits to be seen (where
 * there is none: the end).
 */
export interface ScrollInput {
  readonly to: 'end' | 'start' | 'step' | 'back' | 'next';
}

/** Measures before a step of scrolling, and whether it moved anything. */
export interface ScrollLook {
  /** Of all that can be scrolled, in both directions. */
  readonly height: number;
  readonly links: number;
  /** Elements of the document. */
  readonly nodes: number;
  readonly scrollable: boolean;
  /** Have links gone since the step before? A list that shows its rows only where it is scrolled to. */
  readonly recycled: boolean;
  /** For steps: did anything move? */
  readonly moved: boolean;
}

export interface PictureInput {
  /** Lower edge of what will be drawn, in pixels from the top of the view. */
  readonly bottom: number;
  /** Is the picture to be the same each time? Then no caret is shown, and videos stand at their beginning. */
  readonly still: boolean;
}

/** Parts that are still missing from the picture of a page. */
export interface PictureState {
  /** Pictures within it that have not come yet. */
  readonly pictures: number;
  /** Are fonts being loaded? */
  readonly fonts: boolean;
  /** Videos that have not come to their beginning yet. */
  readonly videos: number;
}

/** For the script that takes chance out of a page. */
export interface DeterministicInput {
  /** When every page's clock starts; milliseconds since 1970. */
  readonly start: number;
  /** What chance in a worker goes by; left out for a document, which goes by its own address. */
  readonly worker?: string;
}

/** What the script `collect details` answers, for audits. */
export interface RawPageDetails {
  /** Pictures that are much larger than they are shown, in pixels. */
  readonly images: readonly {
    readonly url: string;
    readonly width: number;
    readonly height: number;
    readonly shownWidth: number;
    readonly shownHeight: number;
  }[];
  /** Images without width and height whose place is given by style, or that are not shown: absolute addresses. */
  readonly steady: readonly string[];
  readonly fonts: readonly string[];
  /** Numbers of keys. */
  readonly storage: { readonly local: number; readonly session: number } | null;
}
