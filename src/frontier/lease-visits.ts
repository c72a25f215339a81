import { after, epochMs } from '../base/units.ts';
import type { FrontierState } from './frontier-state.ts';
import type { LeaseReply, LeaseRequest } from './frontier.ts';
import { egressesText, visitOf } from './leased-visit.ts';

interface LeasedVisits {
  readonly reply: LeaseReply;
  /** Addresses of the visits' hosts, in their order; empty where none is known. */
  readonly addresses: readonly string[];
}

/** @param fair true to lease from the host that has been due longest */
export async function leaseVisits(
  { client, keys, leader }: Pick<FrontierState, 'client' | 'keys' | 'leader'>,
  { egresses = [], ...request }: LeaseRequest,
  fair = false,
): Promise<LeasedVisits> {
  const asked = { ...request, egresses: egressesText(egresses), fair: fair ? 'yes' : '' };
  const answer = await leader.lease(client, keys, asked);
  if (answer.kind === 'nothing-due')
    return { reply: { kind: 'nothing-due', nextDue: epochMs(answer.due) }, addresses: [] };
  if (answer.kind !== 'leased') return { reply: answer, addresses: [] };
  const leasedAt = epochMs(answer.now);
  const leasedUntil = after(leasedAt, request.leaseFor);
  return {
    reply: {
      kind: 'leased',
      visits: answer.visits.map((fields) => ({ ...visitOf(fields, egresses), leasedAt, leasedUntil })),
    },
    addresses: answer.visits.map((fields) => fields[ADDRESS] ?? ''),
  };
}

/** Index of the address among the fields of a visit. */
const ADDRESS = 11;
