import type { Growth } from './measure.ts';

/**
 * Measures parsers in a process of their own, so that one that never ends is ended, and costs its deadline only.
 * @param told hears of each text and list that was looked at, in order
 */
export function parserGrowths(told: (growth: Growth) => void, wanted?: (name: string) => boolean): Promise<void>;
