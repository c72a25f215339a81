import { testFixtures } from './describe-fixtures.ts';
import { DATA_FIXTURES } from './data-fixtures.ts';

testFixtures(DATA_FIXTURES);
