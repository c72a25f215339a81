import { testFixtures } from './describe-fixtures.ts';
import { FOUND_FIXTURES } from './found-fixtures.ts';

testFixtures(FOUND_FIXTURES);
