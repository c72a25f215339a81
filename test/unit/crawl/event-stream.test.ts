import { describe, expect, it } from 'vitest';
import { createEventStream } from '../../../src/crawl/event-stream.ts';
import type { CrawlEvent } from '../../../src/crawl/events.ts';

const note = (message: string | number): CrawlEvent => ({ kind: 'note', message: String(message) });
const wordsOf = (events: readonly CrawlEvent[]): readonly string[] =>
  events.map((event) => (event.kind === 'note' ? event.message : event.kind));

async function all(events: AsyncIterable<CrawlEvent>): Promise<readonly string[]> {
  const heard: CrawlEvent[] = [];
  for await (const event of events) heard.push(event);
  return wordsOf(heard);
}

/** Is a promise settled once all ready work has run? */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true)); // only observed
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('the events of a crawl', () => {
  it('reach the first listener from the beginning, and end after the last', async () => {
    const stream = createEventStream();
    await stream.push(note('before'));
    const heard = all(stream);
    await stream.push(note('while'));
    stream.end();
    expect(await heard).toEqual(['before', 'while']);
  });

  it('reach a listener who comes after the end', async () => {
    const stream = createEventStream();
    await stream.push(note('all that there was'));
    stream.end();
    expect(await all(stream)).toEqual(['all that there was']);
  });

  it('are kept for nobody beyond the first thousand', async () => {
    const stream = createEventStream();
    for (let index = 0; index < 1100; index += 1) await stream.push(note(index));
    stream.end();
    expect(await all(stream)).toHaveLength(1000);
  });

  it('reach two listeners, each whole from when it came', async () => {
    const stream = createEventStream();
    await stream.push(note(1));
    const first = all(stream);
    await stream.push(note(2));
    const second = all(stream);
    await stream.push(note(3));
    stream.end();
    expect(await Promise.all([first, second])).toEqual([['1', '2', '3'], ['3']]);
  });

  it('wait for a listener that is ten thousand behind, and go on with each that it takes', async () => {
    const stream = createEventStream();
    const listener = stream[Symbol.asyncIterator]();
    for (let index = 0; index < 9999; index += 1) await stream.push(note(index));
    const waiting = stream.push(note(9999));
    expect(await isSettled(waiting)).toBe(false);
    await listener.next();
    expect(await isSettled(waiting)).toBe(true);
  });

  it('do not wait for a listener that left', async () => {
    const stream = createEventStream();
    const listener = stream[Symbol.asyncIterator]();
    for (let index = 0; index < 9999; index += 1) await stream.push(note(index));
    await listener.next();
    await stream.push(note(9999));
    const waiting = stream.push(note(10_000));
    expect(await isSettled(waiting)).toBe(false);
    await listener.return?.();
    expect(await isSettled(waiting)).toBe(true);
  });

  it('do not wait for a listener that left before it heard anything', async () => {
    const stream = createEventStream();
    await stream[Symbol.asyncIterator]().return?.();
    for (let index = 0; index < 9999; index += 1) await stream.push(note(index));
    expect(await isSettled(stream.push(note(9999)))).toBe(true);
  });
});
