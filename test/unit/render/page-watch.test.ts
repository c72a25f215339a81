import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { PageWatch } from '../../../src/render/page/page-watch.ts';
import { handClock } from '../../support/hand-clock.ts';

const MAIN = 'main-frame';
const floods = { dialogs: () => {}, messages: () => {}, requests: () => {}, endlessRequests: () => {} };

function watched(): {
  readonly watch: PageWatch;
  readonly shows: (url: string, id?: string) => void;
  readonly loads: () => void;
} {
  const events = new EventEmitter();
  const session = {
    on: (name: string, listener: (event: unknown) => void) => events.on(name, listener),
    send: () => Promise.resolve({}),
  } as unknown as DevToolsSession;
  const watch = new PageWatch(session, MAIN, { clock: handClock(), bodyArrives: () => null }, floods);
  return {
    watch,
    shows: (url, id = MAIN) => events.emit('Page.frameNavigated', { frame: { id, url } }),
    loads: () => events.emit('Page.loadEventFired', { timestamp: 0 }),
  };
}

test('the load event of the document between two visits is not that of the next visit', () => {
  const { watch, shows, loads } = watched();
  watch.clear();
  loads();
  shows('about:blank');
  loads();
  expect(watch.loadAt).toBeNull();
  shows('https://example.com/');
  expect(watch.loadAt).toBeNull();
  loads();
  expect(watch.loadAt).not.toBeNull();
});

test('a frame that arrives is not the document', () => {
  const { watch, shows, loads } = watched();
  shows('https://example.com/frame', 'another');
  loads();
  expect(watch.loadAt).toBeNull();
});
