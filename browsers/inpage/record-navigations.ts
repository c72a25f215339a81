/**
 * Records every navigation that the document asks for, and keeps the page where it is. No function of the page is replaced: the
 * Navigation API reports them to the isolated world, and a page can neither see nor remove the listener.
 *
 * In the main frame, navigations that the page's own router may take over (`event.intercept()`) pass: the router was registered after
 * us. Those that it does not take over are stopped on their way to the network (render/page/document-interceptor.ts).
 */
import type { NavigationRecord, RecordedNavigation } from '../../src/model/page-facts.ts';
import { keepBases } from './kept-bases.ts';

/** Members that TypeScript's DOM library does not have yet. */
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
  /** Set in the isolated world where forms are filled and sent (`--explore submit`): forms that are posted pass. */
  var orbweaverSends: boolean | undefined;
  /** Set there while a consent dialog is answered: the answer may reload the page. */
  var orbweaverReloads: boolean | undefined;
  /** Lives in the isolated world's global object only. */
  var orbweaverRecord: { kept: RecordedNavigation[]; total: number; readonly seen: Set<string> } | undefined;
}

/** URLs kept of one document; a page that floods its history yields no more. */
const KEPT = 50;
const LENGTH = 4096;
/** Navigations that may pass on to the document interceptor before a router takes one over; ends a loop of them. */
const UNANSWERED = 5;

export function startRecording(): void {
  if (globalThis.orbweaverRecord !== undefined) return;
  const navigation = Reflect.get(globalThis, 'navigation');
  if (!(navigation instanceof EventTarget)) return;
  const record = { kept: [] as RecordedNavigation[], total: 0, seen: new Set<string>() };
  globalThis.orbweaverRecord = record;
  let unanswered = 0;
  // a new entry: the router has taken the navigation over
  navigation.addEventListener('currententrychange', () => (unanswered = 0));
  navigation.addEventListener('navigate', (event) => {
    const asked = event as NavigateEvent;
    const url = asked.destination.url.slice(0, LENGTH);
    record.total += 1;
    if (asked.destination.sameDocument && !asked.hashChange) keepBases(url);
    const how = howAsked(asked);
    if (how !== null && record.kept.length < KEPT && !record.seen.has(`${how} ${url}`)) {
      record.seen.add(`${how} ${url}`);
      record.kept.push({ how, url });
    }
    if (asked.destination.sameDocument || !asked.cancelable) return;
    // where forms are to be sent, posted ones pass
    if (asked.formData !== null && globalThis.orbweaverSends === true) return;
    if (globalThis.orbweaverReloads === true && isReload(asked)) return;
    if (isForRouter(asked) && unanswered < UNANSWERED) unanswered += 1;
    else asked.preventDefault();
  });
}

/** Does the main frame reload the document that it shows? The document interceptor counts how often. */
function isReload({ navigationType, destination, formData, downloadRequest }: NavigateEvent): boolean {
  if (formData !== null || downloadRequest !== null || window !== window.parent) return false;
  return navigationType === 'reload' || withoutFragment(destination.url) === withoutFragment(location.href);
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}

/**
 * May the page's router take the navigation over? Only in the main frame: nothing stops a navigation of a frame later. Not while a document
 * is parsed: a navigation that begins then ends the parser even if it is stopped; routers that run so early are rare.
 */
function isForRouter({ canIntercept, navigationType, downloadRequest }: NavigateEvent): boolean {
  const goesOn = navigationType === 'push' || navigationType === 'replace';
  if (!canIntercept || !goesOn || downloadRequest !== null || window !== window.parent) return false;
  return document.readyState !== 'loading';
}

/** Null for navigations to no new address: going back, and loading again. */
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

/** Number of navigations that the document has asked for. */
export function navigationsSoFar(): number {
  return globalThis.orbweaverRecord?.total ?? 0;
}

/** @param lacksPlace does a fragment name no place in the document? */
export function recordSoFar(lacksPlace: (fragment: string) => boolean): NavigationRecord {
  const record = globalThis.orbweaverRecord;
  const kept = (record?.kept ?? []).map((asked) => {
    const at = asked.how === 'hashchange' ? asked.url.indexOf('#') : -1;
    return at >= 0 && lacksPlace(asked.url.slice(at)) ? { ...asked, nowhere: true as const } : asked;
  });
  return { kept, total: record?.total ?? 0 };
}
