/** A URL as the scripts take it: five texts, see includes/admission.lua. */
import type { Candidate } from '../model/candidate.ts';
import { hostKeyOf } from '../model/host-key.ts';
import type { SkippedRecord } from '../model/record.ts';
import { fingerprintNumber } from './fingerprint-number.ts';
import { kindMark } from './kind-letter.ts';

/** The last field is what is kept of the candidate while it is pending, see includes/record.lua. */
export function candidateFields(candidate: Candidate): readonly string[] {
  const { url, depth, redirects, hops, referrer } = candidate;
  const host = hostKeyOf(url);
  const facts = `${depth} ${redirects} ${hops} 0 ${kindMark(candidate)} ${shortReferrer(host, referrer)}`;
  return [candidate.confidence === 'low' ? 'g' : 'c', host, url.slice(host.length), fingerprintNumber(url), facts];
}

/** A record's URL is canonical where it has such a form; else (`mailto:`) it is known by its text. */
export function skippedFields(record: SkippedRecord): readonly string[] {
  return ['s', record.url, fingerprintNumber(record.url), record.reason, JSON.stringify(record)];
}

/** A path where it is of the same host, `-` where there is none. */
function shortReferrer(host: string, referrer: string | null): string {
  if (referrer === null) return '-';
  return referrer.startsWith(`${host}/`) ? referrer.slice(host.length) : referrer;
}
