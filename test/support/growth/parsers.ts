/** Every measured parser of text from outside; `test/architecture/parsers.test.ts` keeps the list complete. */
import { ANSWER_PARSERS } from './answer-parsers.ts';
import { AUDIT_PARSERS } from './audit-parsers.ts';
import { DIFF_PARSERS } from './diff-parsers.ts';
import { LINK_PARSERS } from './link-parsers.ts';
import { MARKUP_PARSERS } from './markup-parsers.ts';
import { OTHER_PARSERS } from './other-parsers.ts';
import type { ParserCase } from './parser-case.ts';
import { REDACTION_PARSERS } from './redaction-parsers.ts';
import { SCRIPT_PARSERS } from './script-parsers.ts';
import { TEXT_PARSERS } from './text-parsers.ts';

export const PARSERS: readonly ParserCase[] = [
  ...LINK_PARSERS,
  ...SCRIPT_PARSERS,
  ...MARKUP_PARSERS,
  ...TEXT_PARSERS,
  ...OTHER_PARSERS,
  ...REDACTION_PARSERS,
  ...ANSWER_PARSERS,
  ...AUDIT_PARSERS,
  ...DIFF_PARSERS,
];
