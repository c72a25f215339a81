import { expect, test } from 'vitest';
import type { BrowserContext, BrowserPage } from '../../../browsers/protocol/browser.ts';
import { registrableDomainOf, storedHostKey } from '../../../src/model/url/host-key.ts';
import { DomainContexts } from '../../../src/render/domain-contexts.ts';

const ONE = registrableDomainOf(storedHostKey('https://one.example'));
const OTHER = registrableDomainOf(storedHostKey('https://other.test'));

/** A browser that says what became of its contexts and pages. */
function recorded(opening: (context: number) => Promise<void> = async () => {}) {
  const done: string[] = [];
  let made = 0;
  const contexts = new DomainContexts(async (): Promise<BrowserContext> => {
    const context = ++made;
    let pages = 0;
    done.push(`open ${context}`);
    return {
      openPage: async () => {
        const name = `${context}.${++pages}`;
        await opening(context);
        done.push(`page ${name}`);
        return { close: async () => void done.push(`close page ${name}`) } as BrowserPage;
      },
      close: async () => void done.push(`close ${context}`),
    };
  });
  return { contexts, done };
}

test('pages of a domain share a context, which ends with the last of them', async () => {
  const { contexts, done } = recorded();
  const first = await contexts.openPage(ONE, 'shared');
  const second = await contexts.openPage(ONE, 'shared');
  await contexts.openPage(OTHER, 'shared');
  await first.close();
  await second.close();
  expect(done).toEqual(['open 1', 'page 1.1', 'page 1.2', 'open 2', 'page 2.1', 'close page 1.1', 'close 1']);
  await contexts.openPage(ONE, 'shared');
  expect(done.slice(-2)).toEqual(['open 3', 'page 3.1']);
});

test('an empty storage is a new context, which further pages share', async () => {
  const { contexts, done } = recorded();
  const first = await contexts.openPage(ONE, 'shared');
  const retried = await contexts.openPage(ONE, 'empty');
  const third = await contexts.openPage(ONE, 'shared');
  await first.close();
  await third.close();
  await retried.close();
  expect(done).toEqual([
    'open 1',
    'page 1.1',
    'open 2',
    'page 2.1',
    'page 2.2',
    'close 1',
    'close page 2.2',
    'close 2',
  ]);
});

test('a context whose only page could not be opened is ended, and the next page gets a new one', async () => {
  const { contexts, done } = recorded(async (context) => {
    if (context === 1) throw new Error('no page');
  });
  await expect(contexts.openPage(ONE, 'shared')).rejects.toThrow('no page');
  await contexts.openPage(ONE, 'shared');
  expect(done).toEqual(['open 1', 'close 1', 'open 2', 'page 2.1']);
});
