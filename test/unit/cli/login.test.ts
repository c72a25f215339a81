import { expect, test } from 'vitest';
import type { HandSignIn } from '../../../src/crawl/sign-in/sign-in-by-hand.ts';
import { CrawlError } from '../../../src/base/errors.ts';
import { runFake } from './fake-shell.ts';

const URL = 'https://example.org/login';

test.each([
  [[], 'state-example.org.json'],
  [['--storage-state', 'mine.json'], 'mine.json'],
])('login %j opens a window and says how to crawl with what it leaves', async (words, file) => {
  const asked: HandSignIn[] = [];
  const { code, shell } = await runFake({
    words: ['login', URL, ...words],
    engine: {
      signInByHand: async (how) => {
        asked.push(how);
        how.onOpen();
        return { file: `/${how.storageState}`, cookies: 2, origins: 1 };
      },
    },
  });
  expect(code).toBe(0);
  expect(asked).toMatchObject([{ url: URL, storageState: file }]);
  expect(shell.errorText).toContain('Sign in in the window');
  expect(shell.outputText).toContain(`2 cookies, local storage of 1 origins`);
  expect(shell.outputText).toMatch(new RegExp(`crawl ${URL} --storage-state \\S*${file}`));
});

test('login passes on why no window opens, with its exit code', async () => {
  const signInByHand = () => Promise.reject(new CrawlError('USAGE', 'there is no display\nSign in elsewhere.'));
  const { code, shell } = await runFake({ words: ['login', URL], engine: { signInByHand } });
  expect(code).toBe(2);
  expect(shell.errorText).toMatch(/there is no display[^]*Sign in elsewhere/);
});
