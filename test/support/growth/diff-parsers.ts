/** Comparison code that reads pages: texts without self-changing parts, addresses of files, changed passages. */
import { structuredLines } from '../../../src/compare/structured-lines.ts';
import { editScript } from '../../../src/core/diff/edit-script.ts';
import { passagePattern, passageSpellings, referencePatterns } from '../../../src/core/diff/noise.ts';
import { distinctPair } from '../../../src/core/diff/distinct-pair.ts';
import { rebuiltFiles, referenceChanges, type PageReferences } from '../../../src/core/diff/reference-changes.ts';
import { textHunks } from '../../../src/core/diff/text.ts';
import { steadyText } from '../../../src/core/diff/volatile.ts';
import { SiteAddresses } from '../../../src/core/findings/site-address.ts';
import { builtAddress, steadyAddress, steadyLink, steadyRequest } from '../../../src/model/url/steady-address.ts';
import { wordChange } from '../../../src/core/diff/word-change.ts';
import { withoutMoments } from '../../../src/core/fingerprint/normal-text.ts';
import type { ParserCase } from './parser-case.ts';

const TEXT = ['a', ' ', '1', '.', ',', ' views', 'views: ', '3f9a', 'B', '-', '=', ' ms', '2026-11-23', ':'];
const ADDRESS = ['/', '.', '-', '_', 'a', 'B1c', '?', '&', '=', '#', 'v=', ';jsessionid=', '3f9a1c02', '.js', '~'];

const SITE = new SiteAddresses(['https://site.example']);

export const DIFF_PARSERS: readonly ParserCase[] = [
  {
    name: 'compare/structured-lines.ts#structuredLines',
    run: (text) => structuredLines(text, SITE),
    tokens: ['<script', ' type="application/ld+json"', '>', '</script>', '{"a":', '1}', ' ', '"'],
  },
  { name: 'core/diff/volatile.ts#steadyText', run: steadyText, tokens: TEXT },
  {
    name: 'model/url/steady-address.ts#steadyAddress',
    also: [
      'model/url/steady-address.ts#steadyLink',
      'model/url/steady-address.ts#steadyRequest',
      'model/url/steady-address.ts#builtAddress',
    ],
    run: (text) => [steadyAddress(text), steadyLink(text), steadyRequest(text), builtAddress(text)],
    tokens: ADDRESS,
  },
  {
    name: 'core/fingerprint/normal-text.ts#withoutMoments',
    run: (text) => withoutMoments(text, '*'),
    tokens: ['2026', '-', '11', '23', ':', ' ', 'Nov', 'Thursday', ', ', ' de ', ' ago', '3 days', '.', '/', '年', 'a'],
  },
  {
    name: 'core/diff/reference-changes.ts#referenceChanges',
    also: ['core/diff/reference-changes.ts#rebuiltFiles'],
    run: (text) => {
      const side = (address: string): PageReferences => ({ addresses: [address], textOf: () => '', isOrdered: true });
      referenceChanges(side(text), side(`${text}?`));
      rebuiltFiles(side(text), side(`${text}?`));
    },
    tokens: TEXT,
  },
  {
    name: 'core/diff/word-change.ts#wordChange',
    also: ['core/diff/distinct-pair.ts#distinctPair'],
    run: (text) => {
      wordChange(text, `${text.slice(0, text.length / 2)} another ${text.slice(text.length / 2)}`);
      distinctPair(text, text.replaceAll('\u200b', ''));
    },
    tokens: ['a', ' ', '字', '\n', '-', '\u200b', '\u0301'],
  },
  {
    name: 'core/diff/text.ts#textHunks',
    also: [
      'core/diff/edit-script.ts#editScript',
      'core/diff/moved-lines.ts#movedApart',
      'core/diff/noise.ts#passagePattern',
      'core/diff/noise.ts#passageSpellings',
      'core/diff/noise.ts#referencePatterns',
    ],
    run: (text) => {
      const lines = text.split('\n');
      const hunks = textHunks(lines, lines.toReversed());
      const hunk = { before: text, after: `${text} more`, beside: ['', ''] as const };
      return [
        hunks,
        editScript(lines, lines.toReversed()),
        passagePattern(hunk),
        passageSpellings(hunk),
        referencePatterns([text], [`${text}/`]),
      ];
    },
    tokens: ['a', ' ', '\n', 'b\n', '/'],
    dear: { times: 20, bound: 'texts are compared with up to 600 edits, whatever their length' },
  },
];
