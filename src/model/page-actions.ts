/**
 * Interface to the browser while the crawler interacts with a page: messages to and from the exploring scripts of `browsers/inpage`.
 * `render/interact/answer-shapes.ts` validates the answers.
 */

/** Actions on an element. */
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
  /** Identifies the element in its document, also after the document was loaded again. */
  readonly key: string;
  /** Shared by similar elements: the rows of a list, the buttons of its rows. */
  readonly template: string;
  /** Its words for a person. */
  readonly words: string;
  /** Its words for a developer: id, classes, name, handlers, data attributes, address; its icon's, too. */
  readonly marks: string;
  readonly actions: readonly ActionKind[];
  /** Number of a select's choices, or of values to write into a field. */
  readonly options: number;
  /** Number of turns of the action `key`: keys pressed one after the other. */
  readonly keyTurns: number;
  readonly visible: boolean;
  /** True if a listener is known; false if it only looks as if it had one. */
  readonly listens: boolean;
  /** True if the only evidence is its look and a listener on an ancestor. */
  readonly guessed: boolean;
  /** Would a click submit a form? */
  readonly sends: boolean;
}

/** The part of a record's `detail` that tells of them begins so. */
export const UNUSED_CONTROLS = 'controls not used';

/** Controls that a page had left when the budget for its use was at its end, or its scripts hung. */
export interface UnusedControls {
  readonly count: number;
  readonly limit: 'time' | 'actions' | 'hangs';
  /** Words of the first ones, cut. */
  readonly names: readonly string[];
}

/** The present state of the page. */
export interface PageState {
  /** Hash of structure, links and address: identifies the state. */
  readonly signature: string;
  readonly url: string;
  /** Number of addresses that no earlier state had. */
  readonly novel: number;
  /** Number of navigations that the document has asked for so far. */
  readonly navigations: number;
  /** Was it in a view transition, which was ended? It changes soon after. */
  readonly inTransition: boolean;
}

export interface CandidateList {
  readonly state: PageState;
  readonly candidates: readonly ActionCandidate[];
  /** Forms, and fields without one, in the order of the document. */
  readonly forms: readonly FormFacts[];
}

/** Report of a script in the page's own world on the listeners that frameworks keep on nodes: hostile until validated. */
export interface FrameworkListeners {
  /** Index of the element in the composed tree, and the events it is said to listen for. */
  readonly nodes: readonly (readonly [index: number, events: readonly string[]])[];
  /** Delegated listeners: events, and the selector of the elements that they are meant for. */
  readonly delegated: readonly (readonly [events: readonly string[], selector: string])[];
  /** Source texts of handlers of key events. */
  readonly keyed: readonly string[];
}

/** Input of the page script that searches for candidates. */
export interface CandidateInput extends Omit<FrameworkListeners, 'keyed'> {
  /** Are forms to be listed, too? */
  readonly forms: boolean;
  /** Number of keys that the scripts of the page compare with. */
  readonly keys: number;
}

/** A key with its modifiers. */
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
  /** Index of the choice or key within the action. */
  readonly turn: number;
  /** Keys that the scripts of the page compare with. */
  readonly keys: readonly KeyPress[];
}

/** `gone`: the element no longer exists; `idle`: it exists, but cannot be used now. */
export const ACT_ENDS = ['done', 'gone', 'idle'] as const;

/** Result of an action. */
export interface ActResult {
  readonly end: (typeof ACT_ENDS)[number];
  /** Middle of the element in the viewport; for real input. */
  readonly x: number;
  readonly y: number;
}

/** A field of a form: the facts from which its value is guessed. */
export interface FieldFacts {
  /** Index among the fields of its form. */
  readonly index: number;
  readonly tag: 'input' | 'select' | 'textarea' | 'editable';
  readonly type: string;
  readonly name: string;
  readonly autocomplete: string;
  /** Label, placeholder, aria-label, id: the texts that guide a person. */
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
  /** Values of its selectable choices. */
  readonly options: readonly string[];
  readonly visible: boolean;
}

export interface FormFacts {
  readonly key: string;
  readonly template: string;
  readonly method: string;
  readonly action: string;
  readonly fields: readonly FieldFacts[];
  /** The buttons that may submit it or go to a next step, in order. */
  readonly buttons: readonly { readonly words: string; readonly marks: string }[];
  /** Words of the form; with those of its buttons they show whether it is destructive. */
  readonly words: string;
  readonly marks: string;
  readonly visible: boolean;
}

export interface FillInput {
  readonly key: string;
  readonly values: readonly FieldValue[];
  /** Index among the form's usable buttons of the one to press; null: press Enter in its last field, then submit the form by script. */
  readonly button: number | null;
}

export interface FieldValue {
  readonly index: number;
  /** Text, or the value of a choice. */
  readonly value: string;
  /** State of a checkbox or radio button. */
  readonly check: boolean;
}

/**
 * Target of a scroll: the ends of all scroll areas, the start, one view forward, two views back, or the next place still to be seen
 * (the end where there is none).
 */
export interface ScrollInput {
  readonly to: 'end' | 'start' | 'step' | 'back' | 'next';
}

/** Measures before a scroll step, and whether it moved anything. */
export interface ScrollLook {
  /** Sum of the scroll heights and widths of all scroll areas. */
  readonly height: number;
  readonly links: number;
  /** Elements of the document. */
  readonly nodes: number;
  readonly scrollable: boolean;
  /** Have links disappeared since the step before? Then a list shows only the rows that are scrolled to. */
  readonly recycled: boolean;
  /** Did a step move anything? */
  readonly moved: boolean;
}

export interface PictureInput {
  /** Lower edge of the part to be drawn, in pixels from the top of the view. */
  readonly bottom: number;
  /** Must the picture be the same each time? Then carets are hidden, and videos stand at their beginning. */
  readonly still: boolean;
}

/** Parts still missing from the picture of a page. */
export interface PictureState {
  /** Number of its images that have not loaded yet. */
  readonly pictures: number;
  /** Are fonts being loaded? */
  readonly fonts: boolean;
  /** Number of videos not yet at their beginning. */
  readonly videos: number;
}

/** Input of the script that makes a page deterministic. */
export interface DeterministicInput {
  /** Start of every page's clock; milliseconds since 1970. */
  readonly start: number;
  /** Seed of a worker's random numbers; left out for a document, whose seed is its own address. */
  readonly worker?: string;
}

/** Answer of the script `collect details`, for audits. */
export interface RawPageDetails {
  /** Pictures much larger than they are shown, in pixels. */
  readonly images: readonly {
    readonly url: string;
    readonly width: number;
    readonly height: number;
    readonly shownWidth: number;
    readonly shownHeight: number;
  }[];
  /** Absolute addresses of images without width and height that are not shown, or whose place is set by style. */
  readonly steady: readonly string[];
  /** Are there images that were not looked at? */
  readonly steadyCut: boolean;
  readonly fonts: readonly string[];
  /** Number of keys in each storage. */
  readonly storage: { readonly local: number; readonly session: number } | null;
}

/** Session storage by origin: names and values. */
export type SessionItems = Readonly<Record<string, readonly (readonly [name: string, value: string])[]>>;
