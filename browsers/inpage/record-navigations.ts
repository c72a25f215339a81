/**
 * Hears every navigation that the document asks for, and keeps the page where it is. No function of the page is replaced:
 * the Navigation API tells the isolated world of them, and a page can neither see nor remove the listener.
 */
import type { NavigationRecord, RecordedNavigation } from '../../src/model/page-facts.ts';

/** What TypeScript's DOM library does not have yet. */
interface NavigateEvent extends Event {
  readonly navigationType: 'push' | 'replace' | 'reload' | 'traverse';
  readonly destination: { readonly url: string; readonly sameDocument: boolean };
  readonly hashChange: boolean;
  readonly formData: FormData | null;
  readonly downloadRequest: string | null;
  readonly sourceElement?: Element | null;
}

declare global {
  /** Lives in the isolated world's global object only. */
  var orbweaverRecord: { kept: RecordedNavigation[]; total: number; readonly seen: Set<string> } | undefined;
}

/** URLs kept of one document; a page that floods its history yields no more. */
const KEPT = 50;
const LENGTH = 4096;

export function startRecording(): void {
  if (globalThis.orbweaverRecord !== undefined) return;
  const navigation = Reflect.get(globalThis, 'navigation');
  if (!(navigation instanceof EventTarget)) return;
  const record = { kept: [] as RecordedNavigation[], total: 0, seen: new Set<string>() };
  globalThis.orbweaverRecord = record;
  navigation.addEventListener('navigate', (event) => {
    const asked = event as NavigateEvent;
    const url = asked.destination.url.slice(0, LENGTH);
    record.total += 1;
    const how = howAsked(asked);
    if (how !== null && record.kept.length < KEPT && !record.seen.has(`${how} ${url}`)) {
      record.seen.add(`${how} ${url}`);
      record.kept.push({ how, url });
    }
    if (!asked.destination.sameDocument && asked.cancelable) asked.preventDefault();
  });
}

/** Null for what names no address to visit: going back, and sending a form by POST. */
function howAsked(event: NavigateEvent): RecordedNavigation['how'] | null {
  if (event.navigationType === 'traverse' || event.navigationType === 'reload' || event.formData !== null) return null;
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
