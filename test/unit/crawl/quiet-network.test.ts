import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { milliseconds } from '../../../src/base/units.ts';
import { QuietNetwork } from '../../../src/crawl/sign-in/quiet-network.ts';
import type { HookedPage } from '../../../src/render/hooks/page-hook.ts';
import { handClock } from '../../support/hand-clock.ts';

const never = new AbortController().signal;
const request = (kind: string, isClosed = (): boolean => false): object => ({
  resourceType: () => kind,
  frame: () => ({ page: () => ({ isClosed }) }),
});

function opened() {
  const events = new EventEmitter();
  const clock = handClock();
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- of a context only its events are used
  const network = new QuietNetwork(events as unknown as ReturnType<HookedPage['context']>, clock);
  let isReached = false;
  const reaching = (): void => void network.reached(milliseconds(10_000), never).then(() => (isReached = true));
  return { events, clock, reaching, isReached: () => isReached };
}

it('a network is quiet when nothing was asked for, for a while from the question on', async () => {
  const { clock, reaching, isReached } = opened();
  await clock.run(milliseconds(5000));
  reaching();
  await clock.run(milliseconds(400));
  expect(isReached()).toBe(false);
  await clock.run(milliseconds(100));
  expect(isReached()).toBe(true);
});

it('it waits for what a sign-in needs, and for what follows its answer', async () => {
  const { events, clock, reaching, isReached } = opened();
  const [asked, next] = [request('fetch'), request('document')];
  events.emit('request', asked);
  reaching();
  await clock.run(milliseconds(3000));
  events.emit('requestfinished', asked);
  await clock.run(milliseconds(400));
  events.emit('request', next);
  await clock.run(milliseconds(2000));
  expect(isReached()).toBe(false);
  events.emit('requestfailed', next);
  await clock.run(milliseconds(500));
  expect(isReached()).toBe(true);
});

it('it waits for no picture and no stream, and for nothing without end', async () => {
  const { events, clock, reaching, isReached } = opened();
  for (const kind of ['image', 'eventsource', 'ping', 'media', 'font']) events.emit('request', request(kind));
  reaching();
  await clock.run(milliseconds(600));
  expect(isReached()).toBe(true);
  const hanging = opened();
  hanging.events.emit('request', request('xhr'));
  hanging.reaching();
  await hanging.clock.run(milliseconds(9900));
  expect(hanging.isReached()).toBe(false);
  await hanging.clock.run(milliseconds(200));
  expect(hanging.isReached()).toBe(true);
});

it('it waits for no answer to a window that has closed', async () => {
  const { events, clock, reaching, isReached } = opened();
  let isClosed = false;
  events.emit(
    'request',
    request('document', () => isClosed),
  );
  reaching();
  await clock.run(milliseconds(2000));
  expect(isReached()).toBe(false);
  isClosed = true;
  await clock.run(milliseconds(500));
  expect(isReached()).toBe(true);
});
