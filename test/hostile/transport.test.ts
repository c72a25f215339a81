import { testFixtures } from './describe-fixtures.ts';
import { TRANSPORT_FIXTURES } from './transport-fixtures.ts';

testFixtures(TRANSPORT_FIXTURES);
