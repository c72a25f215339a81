import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../../../src/base/units.ts';
import { ADAPTIVE_MOST, meanServerTime, visitDelay } from '../../../../src/core/politeness/adaptive-delay.ts';

const ms = milliseconds;

describe('the pause between two visits', () => {
  it.each([
    ['quick', 20, 1000],
    ['slow', 800, 4000],
    ['very slow', 30_000, ADAPTIVE_MOST],
  ])('of a host whose server is %s (%d ms) is %d ms where a second is the least', (_how, serverTime, delay) => {
    expect(visitDelay({ hostDelay: ms(1000), serverTime: ms(serverTime) })).toBe(delay);
  });

  it('is never shorter than what was asked for, though that be more than the most of ours', () => {
    expect(visitDelay({ hostDelay: ms(90_000), serverTime: ms(60_000) })).toBe(90_000);
  });

  it('is none where none is wanted, and what is wanted where nothing is known', () => {
    expect(visitDelay({ hostDelay: ms(0), serverTime: ms(5000) })).toBe(0);
    expect(visitDelay({ hostDelay: ms(700), serverTime: null })).toBe(700);
  });
});

describe('the mean time of a server', () => {
  it('is the first one, moves by three tenths, and stays where a visit says nothing', () => {
    expect(meanServerTime(null, null)).toBeNull();
    expect(meanServerTime(null, ms(100))).toBe(100);
    expect(meanServerTime(ms(100), ms(200))).toBe(130);
    expect(meanServerTime(ms(130), null)).toBe(130);
  });

  it('comes to what the server takes, whatever it was before', () => {
    let mean = meanServerTime(null, ms(60_000));
    for (let visit = 0; visit < 40; visit += 1) mean = meanServerTime(mean, ms(50));
    expect(mean).toBeCloseTo(50, 0);
  });
});
