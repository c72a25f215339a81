import { testFixtures } from './describe-fixtures.ts';
import { PARSER_FIXTURES } from './parser-fixtures.ts';

testFixtures(PARSER_FIXTURES);
