/** A URL as the scripts take it: eight texts, see includes/admission.lua. */
import type { Candidate } from '../model/candidate.ts';
import { hostKeyOf } from '../model/host-key.ts';
import type { SkippedRecord } from '../model/record.ts';
import { fingerprintNumber } from './fingerprint-number.ts';
import { KIND_LETTERS } from './kind-letter.ts';

export function candidateFields(candidate: Candidate): readonly string[] {
  const host = hostKeyOf(candidate.url);
  return [
    'c',
    host,
    candidate.url.slice(host.length),
    fingerprintNumber(candidate.url),
    String(candidate.depth),
    String(candidate.redirects),
    KIND_LETTERS[candidate.kind],
    candidate.referrer ?? '',
  ];
}

/** A record's URL is canonical where it has such a form; else (`mailto:`) it is known by its text. */
export function skippedFields(record: SkippedRecord): readonly string[] {
  return ['s', record.url, fingerprintNumber(record.url), record.reason, JSON.stringify(record), '', '', ''];
}
