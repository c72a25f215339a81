import { describe, expect, it } from 'vitest';
import { grantSeeds } from '../../../src/crawl/opening/open-network.ts';
import type { AddressGrant, AddressVerdict, Egress } from '../../../src/egress/egress.ts';
import { storedCanonicalUrl } from '../../../src/model/url/canonical-url.ts';

const NEVER = new AbortController().signal;

/** A gate that notes questions and grants. @param answer to the check of a name */
function gate(answer: (name: string, isGranted: boolean) => Promise<AddressVerdict>) {
  const asked: string[] = [];
  const granted: AddressGrant[] = [];
  const egress: Pick<Egress, 'check' | 'grant'> = {
    check: (name, port) => {
      asked.push(`${name}:${port}`);
      return answer(
        name,
        granted.some((grant) => grant.port === port),
      );
    },
    grant: (grant) => void granted.push(grant),
  };
  return { egress: egress as Egress, asked, granted };
}

const allowed: AddressVerdict = { kind: 'allowed', addresses: ['192.0.2.1'] };

describe('the names of seeds', () => {
  it('are asked for at the same time: one without an answer delays no others', async () => {
    let answer: (verdict: AddressVerdict) => void = () => {};
    const answered = new Promise<AddressVerdict>((settle) => (answer = settle));
    const { egress, asked } = gate(async (name) => {
      if (name === 'slow.example') return answered;
      answer(allowed);
      return allowed;
    });
    const seeds = ['https://slow.example/', 'https://a.example/', 'https://b.example/'].map(storedCanonicalUrl);
    await grantSeeds(egress, seeds, NEVER);
    expect(asked.toSorted()).toEqual(['a.example:443', 'b.example:443', 'slow.example:443']);
  });

  it('are asked for once for each host and port, and private addresses of each are granted', async () => {
    const blocked: AddressVerdict = { kind: 'blocked', address: '10.0.0.7', range: 'private' };
    const { egress, asked, granted } = gate(async (_name, isGranted) => (isGranted ? allowed : blocked));
    const seeds = ['http://h.example/', 'http://h.example/a', 'http://h.example:8080/'].map(storedCanonicalUrl);
    await grantSeeds(egress, seeds, NEVER);
    expect(new Set(asked)).toEqual(new Set(['h.example:80', 'h.example:8080']));
    expect(granted).toEqual(
      expect.arrayContaining([
        { cidr: '10.0.0.7', port: 80 },
        { cidr: '10.0.0.7', port: 8080 },
      ]),
    );
  });

  it('stop being asked for when the start is given up', async () => {
    const stop = new AbortController();
    const { egress } = gate(async () => {
      stop.abort(new Error('given up'));
      throw stop.signal.reason;
    });
    await expect(grantSeeds(egress, [storedCanonicalUrl('https://a.example/')], stop.signal)).rejects.toThrow(
      'given up',
    );
  });
});
