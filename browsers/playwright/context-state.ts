/** What sites have stored in a context of Playwright's: cookies, local storage, session storage, databases. */
import type { BrowserContext } from 'playwright-core';
import type { StateDepth, StorageState, StoredItem, StoredOrigin } from '../protocol/storage-state.ts';

/** Longest time in ms for databases: where they are large or cannot be put down, the rest is taken without them. */
const DATABASES_LIMIT = 3000;
/** Longest text of the databases of an origin: a sign-in takes some thousand characters, and what is longer is data of the site (arbitrary). */
const LONGEST_DATABASES = 1_000_000;

/** A context's storage; reading it makes no request. */
export async function contextState(context: BrowserContext, depth: StateDepth): Promise<StorageState> {
  if (depth === 'usual') return context.storageState();
  const opened = await openStorages(context);
  const { cookies, origins } = (await withDatabases(context)) ?? (await context.storageState());
  const all = new Map<string, StoredOrigin>(origins.map((each) => [each.origin, each]));
  for (const { origin, sessionStorage } of opened) {
    if (sessionStorage.length === 0) continue;
    all.set(origin, { localStorage: [], ...all.get(origin), origin, sessionStorage });
  }
  return { cookies, origins: [...all.values()] };
}

/** The whole storage but for that of tabs; null where the databases cannot be read. Opens a page for each origin without an open one. */
export async function withDatabases(context: BrowserContext): Promise<StorageState | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, DATABASES_LIMIT, null).unref());
  const read = await Promise.race([context.storageState({ indexedDB: true }).catch(() => null), late]);
  if (read === null) return null;
  const origins: readonly StoredOrigin[] = read.origins;
  return { cookies: read.cookies, origins: origins.map(modest) };
}

function modest({ indexedDB = [], ...stored }: StoredOrigin): StoredOrigin {
  const isModest = indexedDB.length > 0 && JSON.stringify(indexedDB).length <= LONGEST_DATABASES;
  return isModest ? { ...stored, indexedDB } : stored;
}

interface OpenStorage extends StoredOrigin {
  readonly sessionStorage: readonly StoredItem[];
  readonly hasDatabases: boolean;
}

/** Storage of the frames of open pages: Playwright's own function knows no session storage, and opens pages. */
export async function openStorages(context: BrowserContext): Promise<readonly OpenStorage[]> {
  const frames = context.pages().flatMap((page) => page.frames());
  const read = frames.map((frame) =>
    frame.evaluate(READ).then(
      (answer: unknown) => storageOf(answer),
      () => [], // the frame has no storage, or is just being left
    ),
  );
  return (await Promise.all(read)).flat();
}

/** Source text: it runs in the page. What has items may have had its database before. */
const READ = `(async () => {
  const items = { local: Object.entries(localStorage), session: Object.entries(sessionStorage) };
  return { origin: location.origin, ...items, hasDatabases: (await indexedDB.databases()).length > 0 };
})()`;

function storageOf(answer: unknown): readonly OpenStorage[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const parts = new Map<string, unknown>(Object.entries(answer));
  const origin = parts.get('origin');
  if (typeof origin !== 'string' || !/^https?:/.test(origin)) return [];
  const stored = { localStorage: itemsOf(parts.get('local')), sessionStorage: itemsOf(parts.get('session')) };
  return [{ origin, ...stored, hasDatabases: parts.get('hasDatabases') === true }];
}

function itemsOf(entries: unknown): readonly StoredItem[] {
  if (!Array.isArray(entries)) return [];
  return entries.map(([name, value]) => ({ name: String(name), value: String(value) }));
}
