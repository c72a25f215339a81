import { testFixtures } from './describe-fixtures.ts';
import { TRAP_FIXTURES } from './trap-fixtures.ts';

testFixtures(TRAP_FIXTURES);
