import type { TruncationCause } from '../../model/truncation.ts';

/** Why a body broke off, for people. */
export const TRUNCATION_WORDS: Readonly<Record<TruncationCause, string>> = {
  disconnect: 'the connection ended before the body did',
  time: 'the body did not end in time',
  encoding: 'the body could not be decoded to its end',
};
