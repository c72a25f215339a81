import { testFixtures } from './describe-fixtures.ts';
import { STATE_FIXTURES } from './state-fixtures.ts';

testFixtures(STATE_FIXTURES);
