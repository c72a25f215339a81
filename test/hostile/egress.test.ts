import { testFixtures } from './describe-fixtures.ts';
import { EGRESS_FIXTURES } from './egress-fixtures.ts';

testFixtures(EGRESS_FIXTURES);
