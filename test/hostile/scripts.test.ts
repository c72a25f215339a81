import { testFixtures } from './describe-fixtures.ts';
import { SCRIPT_FIXTURES } from './script-fixtures.ts';

testFixtures(SCRIPT_FIXTURES);
