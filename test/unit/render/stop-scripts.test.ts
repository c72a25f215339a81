import { expect, test } from 'vitest';
import { PATIENT_STOP_TRIES, STOP_TRIES } from '../../../src/render/limits/browser-limits.ts';
import { PageEnded } from '../../../src/render/page/page-ended.ts';
import { stopScripts } from '../../../src/render/page/stop-scripts.ts';
import type { WarmPage } from '../../../src/render/page/warm-page.ts';

const MOST = STOP_TRIES + PATIENT_STOP_TRIES;

interface FakePage {
  readonly page: WarmPage;
  readonly waits: () => number;
}

/** A page that answers in the wait of this number. @param worksUntil number of waits during which its requests go on */
function pageThatAnswers({
  inWait,
  worksUntil = 0,
}: {
  readonly inWait: number;
  readonly worksUntil?: number;
}): FakePage {
  let waits = 0;
  const page = {
    session: { send: () => Promise.resolve() },
    gone: new AbortController().signal,
    browser: { given: { stopwatch: () => ({ passed: () => true, [Symbol.dispose]: () => {} }) } },
    get isWorking() {
      return waits < worksUntil;
    },
    within: () => {
      waits += 1;
      return waits >= inWait ? Promise.resolve() : Promise.reject(new Error('no answer'));
    },
  };
  return { page: page as unknown as WarmPage, waits: () => waits };
}

test('a page that does not answer is given up after a number of tries', async () => {
  const { page, waits } = pageThatAnswers({ inWait: MOST + 1 });
  await expect(stopScripts(page, new AbortController().signal)).rejects.toThrow(PageEnded);
  expect(waits()).toBe(MOST);
});

test('a page whose requests go on is waited for: it disposes of thousands before it answers', async () => {
  const { page, waits } = pageThatAnswers({ inWait: 3 * MOST, worksUntil: 3 * MOST });
  await stopScripts(page, new AbortController().signal);
  expect(waits()).toBe(3 * MOST);
});
