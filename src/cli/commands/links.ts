/** `orbweaver links <folder> --from <url> | --to <url> | …` */
import { Command, InvalidArgumentError, Option } from 'commander';
import { CrawlError } from '../../base/errors.ts';
import { safeJson } from '../../base/safe-json.ts';
import type { LinkFilter } from '../../inspect/link-lookup.ts';
import {
  queryDeadEnds,
  queryDepths,
  queryLinks,
  queryOrphans,
  queryWay,
  rankCrawl,
  type Asking,
} from '../../inspect/query-links.ts';
import { LINK_KINDS, type LinkKind } from '../../model/link-kinds.ts';
import type { ExitCode } from '../exit-code.ts';
import {
  deadEndsText,
  depthsText,
  linksText,
  orphansText,
  ranksText,
  wayText,
  type LinksFrame,
} from '../text/links-text.ts';
import { readersOutput } from '../terminal/redacting-output.ts';
import { safeText } from '../terminal/safe-text.ts';
import { folderArgument } from '../folder-argument.ts';
import { callOf, quoted, type Shell } from '../shell.ts';
import { foldWidthOf, paintFor } from '../terminal/terminal.ts';

const USUAL_LIMIT = 50;
const USUAL_TOP = 20;
const MOST = 10_000_000;

/** The questions, one of which is asked; with the words of the help. */
const QUESTIONS = {
  to: ['--to <url>', 'Who links to this URL, with the text of each link.'],
  from: ['--from <url>', 'Where this page leads, and what it loads.'],
  path: ['--path <url>', 'One shortest way of clicks from a seed to this URL.'],
  depth: ['--depth', 'How many clicks pages are from the seeds.'],
  orphans: ['--orphans', 'Pages that a sitemap names and no page links to.'],
  deadEnds: ['--dead-ends', 'Pages without a link to another page.'],
  rank: [
    '--rank',
    'Ranks pages by their links (PageRank, HITS, site rank); writes the ranks to pages.jsonl, unless the crawl can be resumed.',
  ],
} as const;
type Question = keyof typeof QUESTIONS;

interface Given {
  readonly to?: string;
  readonly from?: string;
  readonly path?: string;
  readonly depth?: true;
  readonly orphans?: true;
  readonly deadEnds?: true;
  readonly rank?: true;
  readonly kind?: readonly LinkKind[];
  readonly pages?: true;
  readonly parts?: true;
  readonly limit?: number;
  readonly json?: true;
}

/** @param finish called with the exit code: 0, also where there is nothing to list */
export function linksCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const call = callOf('links', shell);
  const command = new Command('links')
    .summary('list who links to whom: in-links, orphans, dead ends, depths, ranks')
    .description(
      'Answers questions about the links of a crawl. Give one of --to, --from, --path, --depth, --orphans, --dead-ends, --rank.',
    )
    .argument('<folder>', 'the crawl folder');
  for (const [name, [flags, meaning]] of Object.entries(QUESTIONS)) {
    const others = Object.keys(QUESTIONS).filter((other) => other !== name);
    command.addOption(new Option(flags, meaning).conflicts(others));
  }
  return command
    .option('--kind <kinds>', 'With --to and --from: only links of these kinds, separated by commas.', readKinds)
    .addOption(new Option('--pages', 'With --to and --from: only what leads to pages.').conflicts('parts'))
    .option('--parts', 'With --to and --from: only parts of pages (pictures, scripts, sheets, requests).')
    .option(
      '--limit <n>',
      `Shows at most so many (default: ${USUAL_LIMIT}; ${USUAL_TOP} with --rank; all with --json).`,
      readLimit,
    )
    .option('--json', 'Prints one JSON object for each link or page, each on a line.')
    .addHelpText(
      'after',
      `\nExamples:\n  ${call} orbweaver-example.org-20260102-030405 --to /about\n  ${call} orbweaver-example.org-20260102-030405 --orphans --json`,
    )
    .allowExcessArguments()
    .action(async (folder: string, given: Given, { args: [, url] }: Command) => {
      if (url !== undefined) throw lacksFlag(call, folder, url);
      await answer(shell, await folderArgument(shell, 'links', { folder }), given);
      finish(0);
    });
}

/** A URL behind the folder, as `show` and `explain` take it. */
function lacksFlag(call: string, folder: string, url: string): CrawlError {
  const words = `${call} ${quoted(folder)}`;
  const cure = `Write ${words} --to ${quoted(url)} for the links to it, --from for its own, --path for a way to it.`;
  return new CrawlError('USAGE', `links takes a URL behind a flag that says what is asked of it\n${cure}`);
}

async function answer(shell: Shell, folder: string, given: Given): Promise<void> {
  const question = questionOf(given);
  const paint = paintFor(shell.errors, shell.variables);
  const note = (text: string): unknown => shell.errors.write(`${paint.notable('note')}  ${safeText(text)}\n`);
  const asking: Asking = { onIndexing: (why) => note(`${why}; it is made now`) };
  const frame = { paint: paintFor(shell.output, shell.variables), width: foldWidthOf(shell.output) };
  const { text, rows, notes } = await ANSWERS[question]({ folder, given, asking, frame });
  for (const each of notes) note(each);
  if (given.json === true) for (const row of rows) shell.output.write(`${safeJson(row)}\n`);
  else readersOutput(shell.output).write(`${text}\n`);
}

/** @throws {CrawlError} USAGE where nothing is asked, or a filter is given that does not go with the question */
function questionOf(given: Given): Question {
  const question = QUESTION_NAMES.find((name) => given[name] !== undefined);
  if (question === undefined) {
    throw new CrawlError('USAGE', `links: nothing is asked\nGive one of ${FLAGS_OF_QUESTIONS}.`);
  }
  if (question !== 'to' && question !== 'from') {
    const filter = (['kind', 'pages', 'parts'] as const).find((name) => given[name] !== undefined);
    if (filter !== undefined) throw new CrawlError('USAGE', `--${filter} goes with --to and --from only`);
  }
  return question;
}

const QUESTION_NAMES = [
  'to',
  'from',
  'path',
  'depth',
  'orphans',
  'deadEnds',
  'rank',
] as const satisfies readonly Question[];
const FLAGS_OF_QUESTIONS = Object.values(QUESTIONS)
  .map(([flags]) => flags)
  .join(', ');

interface Asked {
  readonly folder: string;
  readonly given: Given;
  readonly asking: Asking;
  readonly frame: LinksFrame;
}

interface Answered {
  readonly text: string;
  /** Rows for programs. */
  readonly rows: readonly object[];
  readonly notes: readonly string[];
}

const ANSWERS: Readonly<Record<Question, (asked: Asked) => Promise<Answered>>> = {
  to: (asked) => linksOf('to', asked),
  from: (asked) => linksOf('from', asked),
  path: async ({ folder, given, asking, frame }) => {
    const { url, steps, notes } = await queryWay(folder, given.path ?? '', asking);
    return { text: wayText(url, steps, frame), rows: steps, notes };
  },
  depth: depths,
  orphans: async ({ folder, given, asking, frame }) => {
    const { notes, ...orphans } = await queryOrphans(folder, asking);
    const text = orphansText(orphans, given.limit ?? USUAL_LIMIT, frame);
    return { text, rows: orphans.pages.slice(0, given.limit), notes };
  },
  deadEnds: async ({ folder, given, asking, frame }) => {
    const { pages, notes } = await queryDeadEnds(folder, asking);
    const rows = pages.slice(0, given.limit).map((url) => ({ url }));
    return { text: deadEndsText(pages, given.limit ?? USUAL_LIMIT, frame), rows, notes };
  },
  rank: async ({ folder, given, asking, frame }) => {
    const count = given.limit ?? (given.json === true ? MOST : USUAL_TOP);
    const ranks = await rankCrawl(folder, count, asking);
    return { text: ranksText(ranks, frame), rows: ranks.top, notes: ranks.notes };
  },
};

async function linksOf(direction: 'from' | 'to', { folder, given, asking, frame }: Asked): Promise<Answered> {
  const filter: LinkFilter = {
    limit: given.limit ?? (given.json === true ? MOST : USUAL_LIMIT),
    ...(given.kind === undefined ? {} : { kinds: given.kind }),
    ...(given.pages === true ? { only: 'pages' } : given.parts === true ? { only: 'parts' } : {}),
  };
  const found = await queryLinks(folder, direction, given[direction] ?? '', { ...filter, ...asking });
  return { text: linksText(found, direction, frame), rows: found.links, notes: found.notes };
}

async function depths({ folder, given, asking, frame }: Asked): Promise<Answered> {
  const { limit = given.json === true ? MOST : USUAL_LIMIT, json } = given;
  const rows: { readonly url: string; readonly clicks: number | null }[] = [];
  const unreached: string[] = [];
  const each = (url: string, clicks: number | null): void => {
    if (json === true && rows.length < limit) rows.push({ url, clicks });
    if (clicks === null && unreached.length < limit) unreached.push(url);
  };
  const found = await queryDepths(folder, each, asking);
  return { text: depthsText(found, unreached, frame), rows, notes: found.notes };
}

function readKinds(text: string): readonly LinkKind[] {
  return text.split(',').map((word) => {
    const kind = LINK_KINDS.find((name) => name === word.trim());
    if (kind === undefined) throw new InvalidArgumentError(`Accepted: ${LINK_KINDS.join(', ')}.`);
    return kind;
  });
}

function readLimit(text: string): number {
  const count = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= MOST)) throw new InvalidArgumentError(`Accepted: a number from 0 to ${MOST}.`);
  return count;
}
