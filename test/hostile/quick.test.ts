/** The few fixtures of the hostile suite that run with all other tests: one of each kind, none that takes much time or memory. */
import { DATA_FIXTURES } from './data-fixtures.ts';
import { testFixtures } from './describe-fixtures.ts';
import { EGRESS_FIXTURES } from './egress-fixtures.ts';
import { FOUND_FIXTURES } from './found-fixtures.ts';
import { PART_FIXTURES } from './part-fixtures.ts';
import { ROBOTS_FIXTURES } from './robots-fixtures.ts';
import { SCRIPT_FIXTURES } from './script-fixtures.ts';
import { STATE_FIXTURES } from './state-fixtures.ts';
import { TRANSPORT_FIXTURES } from './transport-fixtures.ts';

testFixtures(
  [
    ...EGRESS_FIXTURES,
    ...SCRIPT_FIXTURES,
    ...TRANSPORT_FIXTURES,
    ...STATE_FIXTURES,
    ...ROBOTS_FIXTURES,
    ...DATA_FIXTURES,
    ...FOUND_FIXTURES,
    ...PART_FIXTURES,
  ].filter(({ quick }) => quick === true),
);
