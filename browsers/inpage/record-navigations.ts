/**
 * Hears every navigation that the document asks for, and keeps the page where it is. No function of the page is replaced:
 * the Navigation API tells the isolated world of them, and a page can neither see nor remove the listener.
 *
 * What the page's own router may take over (`event.intercept()`) is let pass in the main frame: it was registered after us,
 * and what it does not take is stopped on its way to the network (render/page/document-gate.ts).
 */
import type { NavigationRecord, RecordedNavigation } from '../../src/model/page-facts.ts';

/** What TypeScript's DOM library does not have yet. */
interface NavigateEvent extends Event {
  readonly navigationType: 'push' | 'replace' | 'reload' | 'traverse';
  readonly destination: { readonly url: string; readonly sameDocument: boolean };
  readonly canIntercept: boolean;
  readonly hashChange: boolean;
  readonly formData: FormData | null;
  readonly downloadRequest: string | null;
  readonly sourceElement?: Element | null;
}

declare global {
  /** Set in the isolated world where forms are filled and sent (`--explore submit`): what they post is let go. */
  var orbweaverSends: boolean | undefined;
  /** Lives in the isolated world's global object only. */
  var orbweaverRecord: { kept: RecordedNavigation[]; total: number; readonly seen: Set<string> } | undefined;
}

/** URLs kept of one document; a page that floods its history yields no more. */
const KEPT = 50;
const LENGTH = 4096;
/** Navigations that may be on their way to the gate without a router's answer; a loop of them is ended here. */
const UNANSWERED = 5;

export function startRecording(): void {
  if (globalThis.orbweaverRecord !== undefined) return;
  const navigation = Reflect.get(globalThis, 'navigation');
  if (!(navigation instanceof EventTarget)) return;
  const record = { kept: [] as RecordedNavigation[], total: 0, seen: new Set<string>() };
  globalThis.orbweaverRecord = record;
  let unanswered = 0;
  // a new entry: the router has taken over what was let pass
  navigation.addEventListener('currententrychange', () => (unanswered = 0));
  navigation.addEventListener('navigate', (event) => {
    const asked = event as NavigateEvent;
    const url = asked.destination.url.slice(0, LENGTH);
    record.total += 1;
    const how = howAsked(asked);
    if (how !== null && record.kept.length < KEPT && !record.seen.has(`${how} ${url}`)) {
      record.seen.add(`${how} ${url}`);
      record.kept.push({ how, url });
    }
    if (asked.destination.sameDocument || !asked.cancelable) return;
    // where forms are to be sent, what is posted goes its way
    if (asked.formData !== null && globalThis.orbweaverSends === true) return;
    if (isForRouter(asked) && unanswered < UNANSWERED) unanswered += 1;
    else asked.preventDefault();
  });
}

/**
 * Frames are no visits: nobody stops what they let pass. And while a document is parsed, a navigation that begins ends the
 * parser, though it comes to nothing; routers that run so early are rare.
 */
function isForRouter({ canIntercept, navigationType, downloadRequest }: NavigateEvent): boolean {
  const goesOn = navigationType === 'push' || navigationType === 'replace';
  if (!canIntercept || !goesOn || downloadRequest !== null || window !== window.parent) return false;
  return document.readyState !== 'loading';
}

/** Null for what names no new address: going back, and loading again. */
function howAsked(event: NavigateEvent): RecordedNavigation['how'] | null {
  if (event.navigationType === 'traverse' || event.navigationType === 'reload') return null;
  if (event.formData !== null) return 'post';
  if (event.downloadRequest !== null) return 'download';
  if (event.destination.sameDocument) {
    if (event.hashChange) return 'hashchange';
    return event.navigationType === 'push' ? 'pushState' : 'replaceState';
  }
  if (event.sourceElement?.closest('form')) return 'form';
  return event.sourceElement ? 'click' : 'location';
}

export function recordSoFar(): NavigationRecord {
  const record = globalThis.orbweaverRecord;
  return { kept: record?.kept ?? [], total: record?.total ?? 0 };
}
