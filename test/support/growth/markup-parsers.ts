/** Parsers of `core/links` that read markup without a tree, policies, and addresses in prose. */
import { dataDocument } from '../../../src/core/links/data/data-document.ts';
import { completionOf } from '../../../src/core/links/markup/completed-links.ts';
import { doctypeLink, systemIdOf } from '../../../src/core/links/markup/doctype-link.ts';
import {
  droppedReferences,
  sourceReferences,
  writtenReferences,
} from '../../../src/core/links/markup/dropped-markup.ts';
import { decodedAttribute } from '../../../src/core/links/markup/attribute-text.ts';
import { elementLinks } from '../../../src/core/links/markup/element-links.ts';
import {
  FragmentPlaces,
  listensToFragment,
  mayBeRoute,
  mayHaveRoutes,
} from '../../../src/core/links/markup/fragment-places.ts';
import { elementOfTag, markupTextLinks } from '../../../src/core/links/markup/markup-text.ts';
import { noticeLinks } from '../../../src/core/links/data/notice-links.ts';
import {
  assignedEndpoint,
  groupedEndpoints,
  namedEndpoints,
  policyEndpoints,
} from '../../../src/core/links/data/report-endpoints.ts';
import { readTags, readTagsOf } from '../../../src/core/links/markup/tag-reader.ts';
import {
  isUnknownElement,
  parameterLinks,
  unknownAttributeLinks,
} from '../../../src/core/links/markup/unknown-attributes.ts';
import { mayHoldPaths, writtenPaths } from '../../../src/core/links/texts/written-paths.ts';
import { mayHoldCommentUrls } from '../../../src/core/links/texts/written-urls.ts';
import { drained, repeated, type ParserCase } from './parser-case.ts';

const BASE = 'https://example.org/a/';
const TAG_TOKENS: readonly string[] = [
  '<a href="/b">',
  '<a ',
  '</a href=/c>',
  '<',
  '>',
  '<!--',
  '-->',
  '<!',
  '<?',
  '"',
  "'",
  '=',
  ' href=',
  '/',
  ' ',
  'a',
  '&amp;',
  '&#',
  '<script>',
  '</script',
  '<title>',
];
const PATH_TOKENS: readonly string[] = [
  '/',
  './',
  '../',
  'a',
  ' ',
  '.',
  ',',
  '(',
  ')',
  '"',
  ']',
  '?',
  '=',
  '.html',
  '\n',
  '1',
];

export const MARKUP_PARSERS: readonly ParserCase[] = [
  {
    name: 'core/links/markup/attribute-text.ts#decodedAttribute',
    also: ['core/links/markup/tag-reader.ts#withCommonReferences'],
    run: decodedAttribute,
    tokens: ['&uuml;', '&amp;', '&', '#', '&#x', 'a', ';', '=', '"', '&copy', '\t'],
  },
  {
    name: 'core/links/markup/tag-reader.ts#readTags',
    run: (text) => drained(readTags(text)),
    tokens: TAG_TOKENS,
    texts: { 'one tag of many attributes': (length) => `<a ${repeated('b="c" ', length)}>` },
  },
  {
    name: 'core/links/markup/tag-reader.ts#readTagsOf',
    run: (text) => drained(readTagsOf(text, new Set(['a', 'form']))),
    tokens: TAG_TOKENS,
    texts: { 'one tag of many attributes': (length) => `<b ${repeated('b="c" ', length)}>` },
  },
  {
    name: 'core/links/markup/dropped-markup.ts#sourceReferences',
    also: [
      'core/links/markup/dropped-markup.ts#droppedReferences',
      'core/links/markup/dropped-markup.ts#writtenReferences',
    ],
    run: (text) => {
      const known = [{ href: '/b' }];
      return [
        droppedReferences(sourceReferences(text), known, BASE),
        droppedReferences(sourceReferences(text, writtenReferences(known)), known, BASE),
      ];
    },
    tokens: TAG_TOKENS,
    lists: {
      'many references, none of them known': (count) => {
        const references = Array.from({ length: count }, (_, index) => ({ href: `/a/${index}`, rel: '' }));
        const known = references.map(({ href }) => ({ href: `https://example.org${href}x`, resolved: null }));
        return () => droppedReferences(references, known, BASE);
      },
    },
  },
  {
    name: 'core/links/markup/completed-links.ts#completionOf',
    run: (text) => [completionOf(text, `${text}5`), completionOf(`/${text}`, text)],
    tokens: ['/', '//', '=', 'undefined', 'null', '/a', '?', '&', '#', ':'],
  },
  {
    name: 'core/links/markup/markup-text.ts#markupTextLinks',
    also: ['core/links/markup/markup-text.ts#PLACE', 'core/links/markup/markup-text.ts#elementOfTag'],
    run: (text) => [
      markupTextLinks(text, 'a/@title', elementLinks),
      elementOfTag({ name: 'a', isEnd: false, attributes: [['title', text]] }),
    ],
    tokens: [...TAG_TOKENS, ' title=', '{{', '&quot;'],
  },
  {
    name: 'core/links/data/notice-links.ts#noticeLinks',
    run: (text) => noticeLinks(text, BASE, 'error'),
    tokens: TAG_TOKENS,
  },
  {
    name: 'core/links/data/report-endpoints.ts#policyEndpoints',
    also: [
      'core/links/data/report-endpoints.ts#namedEndpoints',
      'core/links/data/report-endpoints.ts#groupedEndpoints',
      'core/links/data/report-endpoints.ts#assignedEndpoint',
    ],
    run: (text) => [policyEndpoints(text), namedEndpoints(text), groupedEndpoints(text), assignedEndpoint(text)],
    tokens: ['report-uri ', '/a ', ';', ',', ' ', '=', '"', 'a', '{"endpoints":[{"url":"/a"}]},', '[', '\t'],
  },
  {
    name: 'core/links/data/data-document.ts#dataDocument',
    run: (text) => [
      dataDocument(text),
      dataDocument(`data:text/html,${text}`),
      dataDocument(`data:text/html;base64,${text}`),
    ],
    tokens: ['data:', 'text/html', ';', ',', '%', '%41', ' ', 'a', '=', ';a'],
  },
  {
    name: 'core/links/markup/doctype-link.ts#systemIdOf',
    also: ['core/links/markup/doctype-link.ts#doctypeLink'],
    run: (text) => [
      systemIdOf(text),
      systemIdOf(`!DOCTYPE html PUBLIC ${text}`),
      doctypeLink(text),
      doctypeLink(`http://${text}`),
    ],
    tokens: ['!DOCTYPE ', 'html', ' SYSTEM ', ' PUBLIC ', '"', "'", ' ', 'a', '.', '/', 'w3.org'],
  },
  {
    name: 'core/links/markup/fragment-places.ts#FragmentPlaces',
    also: ['mayBeRoute', 'mayHaveRoutes', 'listensToFragment'].map(
      (name) => `core/links/markup/fragment-places.ts#${name}`,
    ),
    run: (text) => [
      new FragmentPlaces([text]).lacks(`#${text}`),
      mayBeRoute(`#${text}`),
      mayHaveRoutes([{ href: `#${text}` }]),
      listensToFragment(text),
    ],
    tokens: ['#', 'a', '%', '-', ' ', 'hashchange', 'on', '/'],
    lists: {
      'many places and fragments': (count) => {
        const names = Array.from({ length: count }, (_, index) => `n${index}`);
        return () => {
          const places = new FragmentPlaces(names);
          for (const name of names) places.lacks(`#x${name}`);
        };
      },
    },
  },
  {
    name: 'core/links/markup/unknown-attributes.ts#unknownAttributeLinks',
    also: [
      'core/links/markup/unknown-attributes.ts#isUnknownElement',
      'core/links/markup/unknown-attributes.ts#parameterLinks',
    ],
    run: (text) => [
      unknownAttributeLinks('more', text, 'x-a/@more'),
      unknownAttributeLinks(text, '/a/b', 'x-a/@more'),
      parameterLinks('movie', text),
      parameterLinks(text, '/a/b'),
      isUnknownElement(text),
    ],
    tokens: ['/', 'a', '.', './', '-', ':', ' ', '%', '.png', 'http://'],
  },
  {
    name: 'core/links/texts/written-paths.ts#writtenPaths',
    also: ['core/links/texts/written-paths.ts#mayHoldPaths', 'core/links/texts/written-urls.ts#mayHoldCommentUrls'],
    run: (text) => [writtenPaths(text), mayHoldPaths(text), mayHoldCommentUrls(text)],
    tokens: PATH_TOKENS,
  },
];
