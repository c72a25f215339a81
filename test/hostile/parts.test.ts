import { testFixtures } from './describe-fixtures.ts';
import { PART_FIXTURES } from './part-fixtures.ts';

testFixtures(PART_FIXTURES);
