import { expect, test } from 'vitest';
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { RATION_MARGIN, REQUEST_LIMIT } from '../../../src/render/page-limits.ts';
import { RequestRation } from '../../../src/render/page/request-ration.ts';

/** A page whose requests begin, and which the browser may then stop. */
function floodedPage({ before = 0 } = {}) {
  const sent: string[] = [];
  const refused: string[] = [];
  let begun = before;
  let left = 0;
  let overruns = 0;
  let ends = 0;
  const send = (method: string): Promise<unknown> => Promise.resolve(sent.push(method));
  const session = { send } as unknown as DevToolsSession;
  const ration = new RequestRation(session, {
    begun: () => begun,
    sent: () => left,
    refused: (id) => refused.push(id),
    overrun: () => (overruns += 1),
    endless: () => (ends += 1),
  });
  return {
    sent,
    refused,
    ration,
    overruns: () => overruns,
    ends: () => ends,
    /** Requests are sent of which the page has said nothing yet. */
    leave(requests: number) {
      for (let n = 0; n < requests; n++) {
        left += 1;
        ration.recount();
      }
    },
    begin(requests: number) {
      for (let n = 0; n < requests; n++) {
        begun += 1;
        ration.recount();
      }
    },
  };
}

test('requests that the browser stops leave it up to the margin below the limit', () => {
  const { begin, ration, refused, sent } = floodedPage();
  begin(200);
  let left = 0;
  for (let n = 0; n < 1000; n++) {
    begin(1);
    if (ration.allows(String(n))) left += 1;
  }
  expect(200 + left).toBe(REQUEST_LIMIT - RATION_MARGIN);
  expect(refused).toHaveLength(1000 - left);
  expect(sent).toEqual([]);
});

test('what had begun before the first was stopped is taken out of the queue, where it is nearly the limit', () => {
  const { begin, ration, sent } = floodedPage();
  begin(REQUEST_LIMIT - RATION_MARGIN + 2);
  expect(sent).toEqual([]);
  expect(ration.allows()).toBe(false);
  expect(sent).toEqual(['Page.stopLoading']);
});

test('a flood that has begun before any was stopped is taken out of the queue and told once', () => {
  const { begin, overruns, sent } = floodedPage();
  begin(REQUEST_LIMIT);
  expect([sent, overruns()]).toEqual([[], 0]);
  begin(500);
  expect([sent, overruns()]).toEqual([['Page.stopLoading'], 1]);
});

test('requests that are reported as stopped before they are reported as begun do not make the ration larger', () => {
  const { begin, ration, refused, sent } = floodedPage();
  begin(3);
  const left = Array.from({ length: 10_000 }, (_, n) => ration.allows(String(n))).filter(Boolean).length;
  expect(left).toBe(REQUEST_LIMIT - RATION_MARGIN);
  expect(refused).toHaveLength(10_000 - left);
  begin(10_000);
  expect([ration.allows('last'), sent]).toEqual([false, []]);
});

test('requests from before the first that could be stopped count for it', () => {
  const { begin, ration } = floodedPage({ before: 150 });
  begin(1);
  const left = Array.from({ length: 1000 }, (_, n) => ration.allows(String(n))).filter(Boolean).length;
  expect(left).toBe(REQUEST_LIMIT - RATION_MARGIN - 150);
});

test('a script that goes on after a flood does not hide it: what was sent counts, whatever the page has reported', () => {
  const { leave, overruns, sent } = floodedPage();
  leave(REQUEST_LIMIT / 2);
  expect([sent, overruns()]).toEqual([[], 0]);
  leave(1);
  expect([sent, overruns()]).toEqual([['Page.stopLoading'], 1]);
});

test('requests that passed are not taken for a flood when they are sent', () => {
  const { begin, ends, leave, overruns, ration } = floodedPage();
  begin(150);
  leave(150);
  for (let n = 0; n < 1000; n++) {
    begin(1);
    if (ration.allows(String(n))) leave(1);
  }
  expect([overruns(), ends()]).toEqual([0, 0]);
});

test('a gallery is not stopped where only this program learns of its requests late', () => {
  const { begin, ends, leave, overruns } = floodedPage();
  begin(REQUEST_LIMIT - RATION_MARGIN);
  leave(REQUEST_LIMIT - RATION_MARGIN);
  expect([overruns(), ends()]).toEqual([0, 0]);
});

test('a page is not ended before its queue could be emptied', () => {
  const { begin, ends, leave, overruns } = floodedPage();
  begin(REQUEST_LIMIT);
  leave(REQUEST_LIMIT - RATION_MARGIN / 2);
  expect([overruns(), ends()]).toEqual([1, 0]);
  leave(RATION_MARGIN);
  expect(ends()).toBe(1);
});

test('requests that nothing stops end the page once, before the limit', () => {
  const { ends, leave } = floodedPage();
  leave(REQUEST_LIMIT - RATION_MARGIN);
  expect(ends()).toBe(0);
  leave(RATION_MARGIN);
  expect(ends()).toBe(1);
});
