import { expect, test } from 'vitest';
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { seconds } from '../../../src/base/units.ts';
import { RemoteClocks } from '../../../src/render/idle/remote-clocks.ts';
import type { WarmPage } from '../../../src/render/page/warm-page.ts';
import { handClock } from '../../support/hand-clock.ts';

/** A page with one frame in a process of its own, which answers the policies of these names. */
function withFrame(answered: readonly string[]): WarmPage {
  const session = {
    once: () => {},
    off: () => {},
    send: (_method: string, { policy }: { readonly policy: string }) =>
      answered.includes(policy) ? Promise.resolve({}) : new Promise(() => {}),
  } as unknown as DevToolsSession;
  const page = { watch: { frameCount: 2 }, remoteFrames: async () => [session], gone: new AbortController().signal };
  return page as unknown as WarmPage;
}

test.each([
  ['does not answer', []],
  ['begins to run without end within its grant', ['pauseIfNetworkFetchesPending']],
  ['does not use up its grant', ['pauseIfNetworkFetchesPending', 'advance']],
])('a frame of another process that %s is not waited for without end', async (_name, answered) => {
  const clock = handClock();
  let over = false;
  const granted = new RemoteClocks(withFrame(answered), clock).grant(seconds(5), new AbortController().signal);
  void granted.then(() => (over = true));
  await clock.run(seconds(10));
  expect(over).toBe(true);
});
