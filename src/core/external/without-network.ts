/** Dead hosts prove nothing if no host at all has answered: then this machine reaches no network, or is not let out. */
import type { ExternalRecord } from '../../model/external-record.ts';

/** @param records of one audit, without those of earlier ones */
export function withoutNetwork(records: readonly ExternalRecord[]): {
  readonly records: readonly ExternalRecord[];
  readonly notes: readonly string[];
} {
  const answered = records.some(({ looks }) => looks.some(({ status }) => status !== null));
  if (answered || !records.some(({ verdict }) => verdict === 'broken')) return { records, notes: [] };
  const why = 'no other site answered either, so this machine may have no way out';
  return {
    records: records.map((record): ExternalRecord =>
      record.verdict === 'broken'
        ? { ...record, verdict: 'unsure', detail: `${record.detail ?? 'no answer'}: ${why}` }
        : record,
    ),
    notes: [`external links: not one site answered; nothing is called broken for that`],
  };
}
