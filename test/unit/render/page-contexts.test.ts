import { expect, test } from 'vitest';
import type { BrowserContext, BrowserPage } from '../../../browsers/protocol/browser.ts';
import type { StorageState } from '../../../browsers/protocol/storage-state.ts';
import { milliseconds } from '../../../src/base/units.ts';
import { registrableDomainOf, storedHostKey } from '../../../src/model/url/host-key.ts';
import { SIGN_IN_KEPT_EVERY } from '../../../src/render/limits/browser-limits.ts';
import { PageContexts } from '../../../src/render/page-contexts.ts';
import { handClock } from '../../support/hand-clock.ts';

const ONE = registrableDomainOf(storedHostKey('https://one.example'));
const OTHER = registrableDomainOf(storedHostKey('https://other.test'));
const STATE: StorageState = { cookies: [], origins: [{ origin: 'https://one.example', localStorage: [] }] };

/** A browser that records the events of its contexts and pages; the crawl is signed in at the first domain. */
function recorded(
  opening: (context: number) => Promise<void> = async () => {},
  reading: () => Promise<void> = async () => {},
) {
  const done: string[] = [];
  const clock = handClock();
  let made = 0;
  const open = async (state: StorageState | null): Promise<BrowserContext> => {
    const context = ++made;
    let pages = 0;
    done.push(`open ${context}${state === null ? '' : ' signed in'}`);
    return {
      openPage: async () => {
        const name = `${context}.${++pages}`;
        await opening(context);
        done.push(`page ${name}`);
        return { close: async () => void done.push(`close page ${name}`) } as BrowserPage;
      },
      storageState: () => reading().then(() => STATE),
      close: async () => void done.push(`close ${context}`),
    };
  };
  const signIns = {
    stateOf: (domain: string) => (domain === ONE ? STATE : null),
    keep: (domain: string) => void done.push(`keep ${domain}`),
  };
  return { contexts: new PageContexts(open, { signIns, clock }), done, clock };
}

/** A second page of a domain that is opened while the state of the first, which is closing, is read: until `answer` is called. */
async function openedWhileKept() {
  let answer = (): void => {};
  const read = new Promise<void>((resolve) => (answer = resolve));
  const { contexts, done } = recorded(undefined, () => read);
  const first = await contexts.openPage(ONE, 'shared');
  const closing = first.close();
  const next = await contexts.openPage(ONE, 'shared');
  return { done, closing, next, answer };
}

test('pages have contexts of their own, which end with them', async () => {
  const { contexts, done } = recorded();
  const first = await contexts.openPage(OTHER, 'shared');
  await contexts.openPage(OTHER, 'shared');
  await first.close();
  expect(done).toEqual(['open 1', 'page 1.1', 'open 2', 'page 2.1', 'close 1']);
});

test('signed-in pages of a domain share a context, whose state is kept when it ends with the last of them', async () => {
  const { contexts, done } = recorded();
  const first = await contexts.openPage(ONE, 'shared');
  const second = await contexts.openPage(ONE, 'shared');
  await first.close();
  await second.close();
  const shared = ['open 1 signed in', 'page 1.1', 'page 1.2', 'close page 1.1', 'keep one.example', 'close 1'];
  expect(done).toEqual(shared);
  await contexts.openPage(ONE, 'shared');
  expect(done.slice(shared.length)).toEqual(['open 2 signed in', 'page 2.1']);
});

test('a page that is opened while the state of the last one is kept goes on in its context', async () => {
  const { done, closing, next, answer } = await openedWhileKept();
  answer();
  await closing;
  expect(done).toEqual(['open 1 signed in', 'page 1.1', 'page 1.2', 'keep one.example', 'close page 1.1']);
  await next.close();
  expect(done.slice(5)).toEqual(['keep one.example', 'close 1']);
});

test('a context is ended once, where two of its pages are closed while its state is kept', async () => {
  const { done, closing, next, answer } = await openedWhileKept();
  const closingNext = next.close();
  answer();
  await Promise.all([closing, closingNext]);
  expect(done.filter((each) => each === 'close 1')).toHaveLength(1);
});

test('an empty storage is a new context with the sign-in, which further pages share, and whose state is the one that is kept', async () => {
  const { contexts, done } = recorded();
  const first = await contexts.openPage(ONE, 'shared');
  const retried = await contexts.openPage(ONE, 'empty');
  const third = await contexts.openPage(ONE, 'shared');
  await first.close();
  expect(done.slice(-3)).toEqual(['page 2.1', 'page 2.2', 'close 1']);
  await third.close();
  await retried.close();
  expect(done.slice(-3)).toEqual(['close page 2.2', 'keep one.example', 'close 2']);
});

test('what is stored is kept now and then, and when the browser is to end', async () => {
  const { contexts, done, clock } = recorded();
  await contexts.openPage(ONE, 'shared');
  await contexts.openPage(OTHER, 'shared');
  const kept = (): number => done.filter((each) => each.startsWith('keep')).length;
  await contexts.keep(ONE);
  expect(kept()).toBe(0);
  await clock.run(milliseconds(SIGN_IN_KEPT_EVERY));
  await contexts.keep(ONE);
  await contexts.keep(ONE);
  await contexts.keep(OTHER);
  expect(kept()).toBe(1);
  await contexts.keepAll();
  expect(kept()).toBe(2);
});

test('a context whose only page could not be opened is ended, and the next page gets a new one', async () => {
  const { contexts, done } = recorded(async (context) => {
    if (context < 3) throw new Error('no page');
  });
  await expect(contexts.openPage(ONE, 'shared')).rejects.toThrow('no page');
  await expect(contexts.openPage(OTHER, 'shared')).rejects.toThrow('no page');
  await contexts.openPage(ONE, 'shared');
  expect(done).toEqual(['open 1 signed in', 'close 1', 'open 2', 'close 2', 'open 3 signed in', 'page 3.1']);
});
