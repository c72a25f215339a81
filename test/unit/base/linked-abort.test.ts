import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { linkedAbort } from '../../../src/base/linked-abort.ts';

describe('a linked abort', () => {
  it('follows each of the signals that it was linked to, with their reason', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    using linked = linkedAbort(one.signal, two.signal);
    two.abort('enough');
    expect([linked.signal.aborted, linked.signal.reason]).toEqual([true, 'enough']);
  });

  it('is aborted at once by a signal that was aborted before', () => {
    using linked = linkedAbort(AbortSignal.abort('before'));
    expect([linked.signal.aborted, linked.signal.reason]).toEqual([true, 'before']);
  });

  it('aborts by itself without aborting what it is linked to', () => {
    const outer = new AbortController();
    using linked = linkedAbort(outer.signal);
    linked.abort('own');
    expect([linked.signal.reason, outer.signal.aborted]).toEqual(['own', false]);
  });

  it('leaves nothing in the outer signal and follows it no more once it is disposed of', () => {
    const outer = new AbortController();
    const linked = linkedAbort(outer.signal);
    linked[Symbol.dispose]();
    expect(getEventListeners(outer.signal, 'abort')).toHaveLength(0);
    outer.abort();
    expect(linked.signal.aborted).toBe(false);
  });
});
