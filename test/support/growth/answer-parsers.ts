/** Parsers of API answers and of the addresses of their requests, for pages that are read with them. */
import { AnswerAddresses } from '../../../src/core/page-clusters/answer-addresses.ts';
import { answerData } from '../../../src/core/page-clusters/answer-leaves.ts';
import {
  answeredSample,
  linksBy,
  rulesFor,
  shownPatterns,
  textBy,
} from '../../../src/core/page-clusters/answer-links.ts';
import { readAnswers } from '../../../src/fetch/static/answer-plan.ts';
import type { FoundLink } from '../../../src/model/link.ts';
import { JSON_TOKENS } from './link-parsers.ts';
import { repeated, type ParserCase } from './parser-case.ts';
import { anchorOf } from '../page.ts';

const BASE = 'http://example.org/p/1';
const linkTo = (href: string): FoundLink => anchorOf(href, BASE);

/** Learns from an answer and links to its contents, and makes the links again. */
function madeOf(text: string, links: readonly FoundLink[]): unknown {
  const leaves = answerData([text])?.leaves ?? [];
  const sample = answeredSample(leaves, links);
  const rules = rulesFor(links, sample, [sample]);
  const shown = shownPatterns(leaves, text, null);
  readAnswers({ texts: [text], base: BASE, requested: [BASE], rules: { links: rules, shown } });
  return [linksBy(rules, leaves, BASE), textBy(shown, leaves)];
}

export const ANSWER_PARSERS: readonly ParserCase[] = [
  {
    name: 'core/page-clusters/answer-leaves.ts#answerData',
    also: [
      ...['answeredSample', 'linksBy', 'rulesFor', 'shownPatterns', 'textBy'].map(
        (name) => `core/page-clusters/answer-links.ts#${name}`,
      ),
      'fetch/static/answer-plan.ts#readAnswers',
    ],
    dear: { times: 6, bound: 'MOST_LEAVES: 5,000 values; MOST_LOOKS: 100,000 looks; the strings as json-strings.ts' },
    run: (text) => madeOf(text, [linkTo(text), linkTo('/a/b')]),
    tokens: JSON_TOKENS,
    texts: {
      'a list': (length) => `["${repeated('a","', length)}"]`,
      'a list of figures': (length) => `[${repeated('1,', length)}1]`,
      'deep lists': (length) => repeated('[', length / 2) + repeated(']', length / 2),
      'many fields': (length) => `{${Array.from({ length: length / 12 }, (_, n) => `"f${n}":"a"`).join(',')}}`,
    },
  },
  {
    name: 'core/page-clusters/answer-addresses.ts#AnswerAddresses',
    run: (text) => {
      const addresses = new AnswerAddresses();
      for (const page of [`http://example.org/${text}`, `http://example.org/x/${text}`]) {
        addresses.learn(page, [`http://example.org/api/${text}`, `http://example.org/api?${text}`]);
        addresses.inOrder([page, `http://example.org/api/${text}`]);
        addresses.of(page);
      }
      return addresses;
    },
    tokens: ['/', '?', '&', '=', '-', '_', '.', 'a', '1', '%20'],
  },
];
