/** Limits on using a page: scrolling, clicking, sending (render/interact). Numbers without a source were tried out on the fixture sites. */
import { milliseconds, type Milliseconds } from '../../base/units.ts';

/** Real time for an input to be handled; an input that hangs the page costs so much. */
export const INPUT_LIMIT: Milliseconds = milliseconds(1500);

/** Rounds of scrolling an endless page. */
export const SCROLL_ROUNDS = 30;
/** Elements after which a page that grows is large enough. */
export const SCROLL_NODES = 50_000;
/** Views of a list that holds only the rows in view. */
export const SCROLL_STEPS = 200;
/** Elements waiting to be seen that are scrolled to. */
export const SCROLL_PLACES = 40;
/** Frames of the page that are scrolled. */
export const SCROLL_FRAMES = 5;
/** Growth in pixels, of height and width, by which the end of a list may still be near the view: two common views. */
export const LITTLE_GROWTH = 2000;
/** Time of the page's clock for each round's requests and timers (design/rendering, "Scrolling"). */
export const SCROLL_ROUND_TIME: Milliseconds = milliseconds(300);
/** The same where a round brought nothing: lists that pretend to load, or load with a delay, take a second or two for a batch. */
export const SCROLL_LATE_TIME: Milliseconds = milliseconds(2000);
/** The same for a step that merely shows more of what is loaded. */
export const SCROLL_STEP_TIME: Milliseconds = milliseconds(100);

/** Actions on one page: at most, and where similar pages brought nothing lately. */
export const PAGE_ACTIONS: { readonly most: number; readonly few: number } = { most: 100, few: 8 };
/** Further actions that are earned by actions that bring links. */
export const EARNED_ACTIONS = 400;
/** Time for all actions of a page, as far as its browser could compute; `--page-timeout` is real time and holds all the same. */
export const INTERACTION_TIME: Milliseconds = milliseconds(20_000);
/** Further time that is earned by actions that bring links. */
export const EARNED_TIME: Milliseconds = milliseconds(40_000);
/** Shares of `--page-timeout` that count where they are longer than these two times. */
export const INTERACTION_SHARE: number = 1 / 3;
export const EARNED_SHARE: number = 2 / 3;
/** Real time between two looks at the processor time of the browser; each costs some milliseconds. */
export const USED_TIME_INTERVAL: Milliseconds = milliseconds(400);
/** Loads of the document besides the first. */
export const RELOADS = 3;
/** Further loads that are earned by loads after which links came. */
export const EARNED_RELOADS = 12;
/** Keys struck for a page as a whole because its scripts compare with them. */
export const KEYS_STRUCK = 16;
/** Scripts that are read for keys, and characters of each. */
export const KEY_SCRIPTS = 8;
export const KEY_SCRIPT_LENGTH = 1_000_000;
/** Handlers of key events whose sources are read, and characters of each. */
export const KEY_HANDLERS = 40;
export const KEY_HANDLER_LENGTH = 5000;
/** Actions on the way back to an element. */
export const WAY_STEPS = 40;
/** Frames without an address of their own that are used, of a page. */
export const USED_FRAMES = 10;
/** Real time kept back at the end for the duration of an action. */
export const INTERACTION_MARGIN: Milliseconds = milliseconds(3000);
/** Characters of an error's text in the log. */
export const FAULT_LENGTH = 1000;
/** Requests named in the record as held. */
export const HELD_SHOWN = 100;

/** Elements that may be used, read of one answer of our script. */
export const CANDIDATES_READ = 2000;
/** Forms read of one answer. */
export const FORMS_READ = 50;
/** Fields read of a form. */
export const FIELDS_READ = 100;
/** Elements with listeners read of one answer. */
export const LISTENING_NODES_READ = 3000;
/** Selectors of delegated listeners read of one answer. */
export const SELECTORS_READ = 200;

/** Time of the page's clock for the effects of an action: menus that wait for a pointer to stay wait 300 ms. */
export const ACTION_TIME: Milliseconds = milliseconds(400);
/** Time of the page's clock that a pointer is held down: a long press is one of half a second in most libraries. */
export const HOLD_TIME: Milliseconds = milliseconds(700);
/** View transitions, one after the other, after one action. */
export const TRANSITIONS = 3;
/** Real time that an action may compute; a click that hangs costs so much. */
export const ACT_LIMIT: Milliseconds = milliseconds(1500);
/** Actions that hang, after which a page is left alone. */
export const HANGS_LIMIT = 2;
/** Elements of a page without an effect of our events that get real input, one of a kind. */
export const REAL_INPUTS = 10;
/** Real time for the answer to a form. */
export const FORM_ANSWER_TIME: Milliseconds = milliseconds(5000);
/** Real time between two looks for it. */
export const FORM_ANSWER_TICK: Milliseconds = milliseconds(20);
/** States remembered of a page. */
export const STATES_LIMIT = 1000;

/** Elements with listeners of their own that are looked at; each costs a call. */
export const SEARCHED_NODES = 400;
/** Elements that have the hand as their cursor and are looked at. */
export const HANDS_LIMIT = 300;
/** Real time for the search of listeners that frameworks keep to themselves. */
export const FRAMEWORK_LIMIT: Milliseconds = milliseconds(1500);
