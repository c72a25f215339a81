import { describe, expect, it } from 'vitest';
import { readMarkup } from '../../../src/base/markup-events.ts';

describe('markup', () => {
  it.each([
    ['tags without end', '<i>'.repeat(500_000)],
    ['tags without end, far down', `<x>${'<b>t</b>'.repeat(10_000)}${'<i>'.repeat(500_000)}`],
  ])('of %s is left at a depth, and takes no minute', (_what, text) => {
    let opened = 0;
    const began = process.cpuUsage().user;
    for (const xml of [true, false]) readMarkup(text, { open: () => (opened += 1) }, { xml, lowerCase: true });
    expect(opened).toBeLessThan(40_000);
    expect(process.cpuUsage().user - began).toBeLessThan(2_000_000);
  });

  it('is left where its reader has enough', () => {
    let texts = 0;
    const reader = {
      text: () => (texts += 1),
      get full() {
        return texts >= 10;
      },
    };
    readMarkup('<a>t</a>'.repeat(100_000), reader, { xml: true, lowerCase: true });
    expect(texts).toBeLessThan(5000);
  });
});
