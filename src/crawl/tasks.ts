/** All tasks that may run in a thread; `test/architecture` checks that none is missing. */
import { READ_ANSWERS } from '../fetch/static/asked-answers.ts';
import { RECEIVED_FACTS } from '../fetch/static/received-facts.ts';
import { STATIC_PAGE } from '../fetch/static/static-page.ts';
import type { AnyTask } from '../offload/serve-tasks.ts';
import { FILE, PAGE_FINDINGS } from '../pipeline/file-reading.ts';
import { SITEMAP } from '../pipeline/packed-sitemap.ts';
import { COMPARABLE_TEXT, TEXT_FIGURES } from '../pipeline/page-text.ts';
import { ANSWER_LINKS, DOCUMENT_REFERENCES, MENTIONED_NAMES, SHEET_LINKS } from '../render/extract/answer-tasks.ts';
import { CLOSED_LINKS } from '../render/extract/closed-roots.ts';
import { ROUTE_PARTS } from '../render/extract/part-task.ts';
import { COMPARED_KEYS } from '../render/interact/key-search.ts';

export const TASKS: readonly AnyTask[] = [
  STATIC_PAGE,
  RECEIVED_FACTS,
  READ_ANSWERS,
  FILE,
  PAGE_FINDINGS,
  SITEMAP,
  COMPARABLE_TEXT,
  TEXT_FIGURES,
  ANSWER_LINKS,
  MENTIONED_NAMES,
  ROUTE_PARTS,
  SHEET_LINKS,
  DOCUMENT_REFERENCES,
  CLOSED_LINKS,
  COMPARED_KEYS,
];
