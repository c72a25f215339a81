import { testFixtures } from './describe-fixtures.ts';
import { ROBOTS_FIXTURES } from './robots-fixtures.ts';

testFixtures(ROBOTS_FIXTURES);
