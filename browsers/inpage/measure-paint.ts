/** Reads the browser's performance entries of how the page was painted. The browser keeps them for late readers. */
import type { RawPaint } from '../../src/model/paint.ts';

/** Entries of each type that are returned; the browser keeps 200. */
const MOST = 200;
const TAG = 200;

interface ShiftEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources?: readonly { readonly node: Node | null }[];
}

interface LargestEntry extends PerformanceEntry {
  readonly element: Element | null;
}

export async function measurePaint(): Promise<RawPaint> {
  const [paints, largest, all, tasks] = await Promise.all([
    entries('paint', isEntry),
    entries('largest-contentful-paint', isLargest),
    entries('layout-shift', isShift),
    entries('longtask', isEntry),
  ]);
  const shifts = all.filter(({ hadRecentInput }) => !hadRecentInput);
  const most = shifts.reduce<ShiftEntry | null>(
    (best, entry) => (entry.value > (best?.value ?? 0) ? entry : best),
    null,
  );
  const last = largest.at(-1);
  return {
    url: location.href,
    firstPaint: paints.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? null,
    largestPaint: last?.startTime ?? null,
    largest: tagOf(last?.element ?? null),
    moved: tagOf(most?.sources?.[0]?.node ?? null),
    shifts: shifts.map(({ startTime, value }) => ({ at: startTime, value })),
    tasks: tasks.map(({ startTime, duration }) => ({ at: startTime, duration })),
  };
}

const isEntry = (entry: PerformanceEntry): entry is PerformanceEntry => entry.startTime >= 0;
const isLargest = (entry: PerformanceEntry): entry is LargestEntry => 'element' in entry;
const isShift = (entry: PerformanceEntry): entry is ShiftEntry => 'value' in entry && 'hadRecentInput' in entry;

/** Entries so far; empty where the browser does not know the type. */
function entries<Entry extends PerformanceEntry>(
  type: string,
  is: (entry: PerformanceEntry) => entry is Entry,
): Promise<readonly Entry[]> {
  return new Promise((resolve) => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return resolve([]);
    const found: Entry[] = [];
    const observer = new PerformanceObserver((list) => found.push(...list.getEntries().filter(is)));
    observer.observe({ type, buffered: true });
    // buffered entries come in a task of their own
    setTimeout(() => {
      observer.disconnect();
      resolve(found.slice(0, MOST));
    }, 100);
  });
}

function tagOf(node: Node | null): string {
  const element = node instanceof Element ? node : (node?.parentElement ?? null);
  const copy = element?.cloneNode(false);
  return copy instanceof Element ? copy.outerHTML.replace(/<\/[^>]*>$/, '').slice(0, TAG) : '';
}
