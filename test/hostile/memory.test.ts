import { testFixtures } from './describe-fixtures.ts';
import { MEMORY_FIXTURES } from './memory-fixtures.ts';

testFixtures(MEMORY_FIXTURES);
