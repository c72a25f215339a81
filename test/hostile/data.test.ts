import { DATA_FIXTURES } from './data-fixtures.ts';
import { testFixtures } from './describe-fixtures.ts';

testFixtures(DATA_FIXTURES);
