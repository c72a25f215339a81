import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { milliseconds } from '../../../src/base/units.ts';
import type { RobotsDecision } from '../../../src/dispatch/robots-checker.ts';
import { MOST_DEATHS, visitPermission, type PermissionOptions } from '../../../src/dispatch/visit-permission.ts';
import { NO_NAMES } from '../../../src/model/robots-names.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { visitOf } from '../../support/page.ts';

const never = new AbortController().signal;
const page = visitOf('http://a.test/');
const rules = { rule: 'Disallow: /', crawlDelay: null, names: NO_NAMES } as const;

type AddressVerdict = Awaited<ReturnType<PermissionOptions['egress']['check']>>;

const permissionOf = (
  verdict: RobotsDecision,
  { visit = page, address = { kind: 'allowed' } as AddressVerdict }: { visit?: Visit; address?: AddressVerdict } = {},
): ReturnType<typeof visitPermission> =>
  visitPermission(
    visit,
    {
      egress: { check: () => Promise.resolve(address) },
      robots: { verdict: () => Promise.resolve(verdict) },
      delayOf: () => milliseconds(1000),
      clock: systemClock,
    },
    never,
  );

const unaskedOf = (permission: Awaited<ReturnType<typeof permissionOf>>): unknown =>
  permission.kind === 'refused' ? permission.directives.unasked : permission.kind;

describe('a refused visit', () => {
  it.each<[string, RobotsDecision, unknown]>([
    ['forbidden by rules that were known', { kind: 'disallowed', fetched: false, asked: false, ...rules }, true],
    [
      'forbidden by rules that were fetched for it',
      { kind: 'disallowed', fetched: true, asked: true, ...rules },
      undefined,
    ],
    ['forbidden by old rules, asked in vain', { kind: 'disallowed', fetched: false, asked: true, ...rules }, undefined],
    ['of an address that is blocked', { kind: 'blocked', detail: '10.0.0.1' }, true],
    ['of a host without robots.txt for now', { kind: 'forbidden-for-now', why: 'status 503' }, undefined],
    ['of a host that does not answer', { kind: 'unreachable', failure: 'reset', detail: '' }, undefined],
  ])('says whether its host was asked for anything: %s', async (_what, verdict, unasked) => {
    expect(unaskedOf(await permissionOf(verdict))).toBe(unasked);
  });

  it('asked nothing where the page ends the program, or its address may not be connected to', async () => {
    const verdict: RobotsDecision = { kind: 'allowed', fetched: false, ...rules };
    expect(unaskedOf(await permissionOf(verdict, { visit: { ...page, deaths: MOST_DEATHS } }))).toBe(true);
    const address: AddressVerdict = { kind: 'blocked', address: '10.0.0.1', range: 'private' };
    expect(unaskedOf(await permissionOf(verdict, { address }))).toBe(true);
  });

  it('blames its host where the name is not resolved, so that its pages do not fail one after the other', async () => {
    const verdict: RobotsDecision = { kind: 'allowed', fetched: false, ...rules };
    const address: AddressVerdict = { kind: 'unresolvable', detail: 'no answer of the DNS within 10000 ms' };
    const permission = await permissionOf(verdict, { address });
    expect(permission).toMatchObject({ kind: 'refused', outcome: { kind: 'unreachable', failure: 'dns' } });
    expect(unaskedOf(permission)).toBeUndefined();
  });

  it('of a host whose robots.txt does not come says that it is the whole host that cannot be visited', async () => {
    expect(await permissionOf({ kind: 'unreachable', failure: 'reset', detail: 'broken off' })).toMatchObject({
      kind: 'refused',
      outcome: { kind: 'unreachable', failure: 'reset', detail: 'robots.txt: broken off', ofRobots: true },
    });
  });
});
