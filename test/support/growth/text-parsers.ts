/** Parsers of `core/links` that read one reference, and of `core/html`, `core/files`, `core/fingerprint`, `core/robots`. */
import { fnv1a } from '../../../src/base/hash.ts';
import { dataFacts } from '../../../src/core/files/data-facts.ts';
import { markdownTitle } from '../../../src/core/files/markdown-title.ts';
import { markupFacts, plainOf } from '../../../src/core/files/markup-facts.ts';
import { pdfFacts } from '../../../src/core/files/pdf-facts.ts';
import { pdfFile } from '../../../src/core/files/pdf-objects.ts';
import {
  addressAt,
  integerOf,
  nameOf,
  referenceOf,
  textAt,
  pdfText as pdfTextOf,
} from '../../../src/core/files/pdf-values.ts';
import { pictureSize } from '../../../src/core/files/picture-size.ts';
import { lineHash, linesOf, NO_BOILERPLATE } from '../../../src/core/fingerprint/boilerplate.ts';
import { contentSketch } from '../../../src/core/fingerprint/content-sketch.ts';
import { ownText } from '../../../src/base/remembered.ts';
import { linkSignatureOf, linkTail, tailHash } from '../../../src/core/fingerprint/link-signature.ts';
import { normalText } from '../../../src/core/fingerprint/normal-text.ts';
import { shinglesOf, tokenHashes } from '../../../src/core/fingerprint/shingle.ts';
import { textSignature } from '../../../src/core/fingerprint/signature.ts';
import { textFingerprint } from '../../../src/core/fingerprint/text-fingerprint.ts';
import { decodeDocument } from '../../../src/core/html/encoding.ts';
import { factsOf, foldedText } from '../../../src/core/html/facts.ts';
import { metaDirectives } from '../../../src/core/html/meta-robots.ts';
import { visibleText } from '../../../src/core/html/text.ts';
import { traitsOf } from '../../../src/core/html/traits.ts';
import { queryEncoder } from '../../../src/core/html/query-encoding.ts';
import { readHtml, textOf } from '../../../src/core/html/tree.ts';
import { wordCount } from '../../../src/base/word-count.ts';
import {
  beginsAsReference,
  isNoReference,
  isPlainPath,
  isWebUrl,
  readsAsReference,
} from '../../../src/core/links/texts/reference-text.ts';
import {
  isAssetName,
  isUnwiseLink,
  looksLikePageFile,
  looksLikeRoute,
  looksLikeUrl,
} from '../../../src/core/links/texts/url-text.ts';
import { scriptFingerprint, scriptSkeleton } from '../../../src/core/page-clusters/script-fingerprint.ts';
import { requestOperation } from '../../../src/core/requests/request-operation.ts';
import { unansweredOf } from '../../../src/core/requests/unanswered.ts';
import { compileRules, decidingRule } from '../../../src/core/robots/match.ts';
import { namedPaths } from '../../../src/core/robots/named-paths.ts';
import { pageRobots } from '../../../src/core/robots/page-robots.ts';
import { byteString, parseRecords, productTokenOf, readable } from '../../../src/core/robots/parse.ts';
import { parseRobots } from '../../../src/core/robots/robots-file.ts';
import { BASE, JSON_TOKENS, MARKUP_TOKENS, PROSE_TOKENS } from './link-parsers.ts';
import { repeated, type ParserCase } from './parser-case.ts';

const encoder = new TextEncoder();
export const URL_TOKENS: readonly string[] = [
  'http://',
  'https://a.b/',
  '//',
  '/',
  '.',
  '..',
  '%',
  '%41',
  '?',
  '#',
  '&',
  '=',
  ':',
  '@',
  ';',
  '-',
  'a',
  '1',
  '*',
  '+',
];
const PDF_TOKENS: readonly string[] = [
  '1 0 obj',
  'endobj',
  'stream',
  'endstream',
  '<<',
  '>>',
  '(',
  ')',
  '\\',
  '<',
  '/URI ',
  '/Type /ObjStm',
  '1',
  ' ',
  'trailer',
  '/Title',
  'R',
];
const HTML_TOKENS: readonly string[] = [
  ...MARKUP_TOKENS,
  '<p>',
  '<table>',
  '<div hidden>',
  '<svg>',
  '<script>',
  'style="display',
  '\r',
  '\0',
];
const ROBOTS_TOKENS: readonly string[] = [
  'user-agent: *\n',
  'disallow: /a\n',
  'disallow',
  ':',
  '*',
  '$',
  ' ',
  '\t',
  '#',
  '\n',
  'a',
  '<br>',
  '\r',
];
const DATE_TOKENS: readonly string[] = [
  '1',
  '12:00',
  '2020-01-01',
  'jan',
  ' ',
  '.',
  ',',
  'ago',
  'one hour',
  '\u200b',
  '\u0301',
  'a',
  '年',
  '\n',
  '\u00a0',
];

/** A tree of elements: the shortest ones have 3 characters. */
const ELEMENTS = { times: 3, bound: 'ELEMENT_LIMIT: 300,000 elements of a document' } as const;

const each =
  (...parsers: readonly ((text: string) => unknown)[]): ParserCase['run'] =>
  (text) =>
    parsers.map((parser) => parser(text));

export const TEXT_PARSERS: readonly ParserCase[] = [
  {
    name: 'core/links/texts/reference-text.ts#beginsAsReference',
    run: each(
      beginsAsReference,
      (text) => beginsAsReference(`//${text}`),
      (text) => beginsAsReference(`?${text}`),
    ),
    tokens: URL_TOKENS,
  },
  { name: 'core/links/texts/reference-text.ts#readsAsReference', run: readsAsReference, tokens: URL_TOKENS },
  {
    name: 'core/links/texts/reference-text.ts#isWebUrl',
    run: (text) => isWebUrl(`http://a${text}`),
    tokens: URL_TOKENS,
  },
  {
    name: 'core/links/texts/reference-text.ts#isPlainPath',
    run: (text) => isPlainPath(`/a${text}`),
    tokens: URL_TOKENS,
  },
  {
    name: 'core/links/texts/reference-text.ts#isNoReference',
    also: ['core/links/texts/hidden-mail.ts#hidesMail'],
    run: isNoReference,
    tokens: [...URL_TOKENS, '/cdn-cgi/l/email-protection'],
  },
  {
    name: 'core/links/texts/url-text.ts#looksLikeUrl',
    run: each(looksLikeUrl, (text) => looksLikeUrl(`http://${text}`)),
    tokens: URL_TOKENS,
  },
  {
    name: 'core/links/texts/url-text.ts#looksLikeRoute',
    run: each(
      looksLikeRoute,
      (text) => looksLikeRoute(`/${text}`),
      (text) => looksLikeRoute(`#${text}`),
    ),
    tokens: URL_TOKENS,
  },
  {
    name: 'core/links/texts/url-text.ts#looksLikePageFile',
    run: each(looksLikePageFile, (text) => looksLikePageFile(`a${text}`)),
    tokens: URL_TOKENS,
  },
  { name: 'core/links/texts/url-text.ts#isAssetName', run: isAssetName, tokens: [...URL_TOKENS, '.png'] },
  {
    name: 'core/links/texts/url-text.ts#isUnwiseLink',
    also: ['core/links/texts/reference-text.ts#actsByName'],
    run: each(isUnwiseLink, (text) => isUnwiseLink(`/${text}`)),
    tokens: [...URL_TOKENS, 'delete', '/api', 'log_'],
  },
  {
    name: 'core/html/encoding.ts#decodeDocument',
    also: ['core/html/encoding.ts#isXhtml', 'core/html/encoding.ts#labelled', 'core/html/encoding.ts#markOf'],
    run: each(
      (text) => decodeDocument(encoder.encode(text), ''),
      (text) => decodeDocument(encoder.encode('a'), `text/html;${text}`),
      (text) => decodeDocument(encoder.encode(`<?xml ${text}`), 'application/xhtml+xml'),
    ),
    tokens: [...MARKUP_TOKENS, '<meta ', 'charset', ';', '\u00e9', '\t'],
  },
  {
    name: 'core/html/query-encoding.ts#queryEncoder',
    run: each(
      (text) => queryEncoder('windows-1251')?.(`/a?${text}`),
      (text) => queryEncoder('windows-1251')?.(text),
    ),
    tokens: ['?', '#', 'a', '\u0439', '\u65e5', '\ud800'],
  },
  {
    name: 'core/html/tree.ts#readHtml',
    also: ['core/html/attributes.ts#htmlAttributes'],
    dear: ELEMENTS,
    run: each(readHtml, (text) => readHtml(text, true)),
    tokens: HTML_TOKENS,
    texts: {
      'many attributes': (length) =>
        `<a ${Array.from({ length: length / 10 }, (_, index) => `a${index}="b" `).join('')}>`,
      siblings: (length) => repeated('<b></b>', length),
      'texts beside each other': (length) => `<p>${repeated('a&amp;', length)}`,
    },
  },
  {
    name: 'core/html/tree.ts#textOf',
    dear: ELEMENTS,
    run: (text) => textOf({ children: readHtml(text).top }),
    tokens: HTML_TOKENS,
  },
  {
    name: 'base/word-count.ts#wordCount',
    run: (text) => wordCount(text, (piece) => piece !== '-'),
    tokens: ['a', ' ', '\n', '-', '市', '場', 'は', 'ก', '。'],
  },
  {
    name: 'core/html/text.ts#visibleText',
    dear: ELEMENTS,
    run: (text) => visibleText(readHtml(text).top, 100_000),
    tokens: [...HTML_TOKENS, '<div style="display', '<td>', '<br>', '<svg><text>', '<div style=";'],
    texts: {
      'a long style': (length) => `<p style="${repeated('; ', length)}">`,
      spaces: (length) => repeated(' a', length),
    },
  },
  {
    name: 'core/html/traits.ts#traitsOf',
    dear: ELEMENTS,
    run: (text) => traitsOf(readHtml(text).elements, BASE),
    tokens: [...HTML_TOKENS, '<script src=a></script>', 'onclick="', '<a-b>', 'data-a="'],
  },
  {
    name: 'core/html/facts.ts#factsOf',
    dear: ELEMENTS,
    run: (text) => {
      const tree = readHtml(text);
      return factsOf(tree, tree.elements, BASE);
    },
    tokens: [...HTML_TOKENS, '<h1>', '</h1>', '<meta name=robots content="', '<base href=', '<link rel="canonical'],
    texts: {
      metas: (length) => repeated('<meta name=robots content=a>', length),
      headings: (length) => repeated('<h1>a</h1>', length),
      'headings in headings': (length) => repeated('<h1>a', length),
    },
  },
  {
    name: 'core/html/facts.ts#foldedText',
    run: (text) => foldedText(text, 1_000_000),
    tokens: [' ', '\n', 'a', '\u00a0'],
  },
  {
    name: 'core/html/meta-robots.ts#metaDirectives',
    run: each(
      (text) => metaDirectives('robots', text),
      (text) => metaDirectives('bot', text),
      (text) => metaDirectives('bot', `max-snippet${text}`),
      (text) => metaDirectives(text, 'none'),
    ),
    tokens: [',', ' ', 'noindex', ':', 'max-snippet', 'a', '\n'],
  },
  {
    name: 'core/files/data-facts.ts#dataFacts',
    run: each(dataFacts, (text) => dataFacts(`{"title":${text}`)),
    tokens: JSON_TOKENS,
  },
  {
    name: 'core/files/markdown-title.ts#markdownTitle',
    run: markdownTitle,
    tokens: ['#', ' ', '\t', '=', '\n', '\r\n', 'a', '# a', 'a\n='],
  },
  {
    name: 'core/files/markup-facts.ts#markupFacts',
    run: each(
      (text) => markupFacts(text, 100_000),
      (text) => markupFacts(`<rss>${text}`, 100_000),
    ),
    tokens: [...MARKUP_TOKENS, '<description>', '</description>', '<style>'],
    texts: {
      deep: (length) => repeated('<b>', length),
      'markup in markup': (length) => `<a><title>${repeated('&lt;b>', length)}`,
    },
  },
  { name: 'core/files/markup-facts.ts#plainOf', run: plainOf, tokens: MARKUP_TOKENS },
  {
    name: 'core/files/pdf-facts.ts#pdfFacts',
    run: each(
      (text) => pdfFacts(`%PDF-1.4 ${text}`, false, (octets) => octets),
      (text) => pdfFacts(`%PDF-1.4 1 0 obj ${text} endobj trailer <</Info 1 0 R>>`, false, (octets) => octets),
    ),
    tokens: PDF_TOKENS,
    texts: {
      'addresses in one object': (length) => `%PDF- 1 0 obj ${repeated('/URI (a)', length)} endobj`,
      'open strings': (length) => repeated('1 0 obj /URI (a', length),
      'packed objects': (length) =>
        `%PDF- ${repeated('1 0 obj <</Type /ObjStm /N 9 /First 9 /Length 9>> stream\n1 2 3 4 5 ', length)}`,
      'packed objects without end': (length) =>
        `%PDF- ${repeated('1 0 obj <</Type /ObjStm /N 9 /First 9>> stream\n', length / 2)}${repeated('1', length / 2)}`,
    },
  },
  {
    name: 'core/files/pdf-objects.ts#pdfFile',
    run: (text) => pdfFile(text, (octets) => octets),
    tokens: PDF_TOKENS,
    texts: {
      'one large packed object': (length) =>
        `1 0 obj <</Type /ObjStm /N 99999999 /First 9999999>> stream\n${repeated('1 ', length)}endstream`,
    },
  },
  {
    name: 'core/files/pdf-values.ts#textAt',
    also: ['core/files/pdf-values.ts#addressAt'],
    run: each(
      (text) => textAt(`(${text}`, 0),
      (text) => textAt(`<${text}`, 0),
      (text) => addressAt(`(${text})`, 0),
      (text) => textAt(`(\xfe\xff${text})`, 0),
    ),
    tokens: ['(', ')', '\\', '\\777', '<', '>', '41', ' ', '\x1b', 'a', '\x80'],
  },
  { name: 'core/files/pdf-values.ts#pdfText', run: (text) => pdfTextOf(text, 'Title'), tokens: PDF_TOKENS },
  { name: 'core/files/pdf-values.ts#referenceOf', run: (text) => referenceOf(text, 'Title'), tokens: PDF_TOKENS },
  { name: 'core/files/pdf-values.ts#integerOf', run: (text) => integerOf(text, 'Title'), tokens: PDF_TOKENS },
  { name: 'core/files/pdf-values.ts#nameOf', run: (text) => nameOf(text, 'Title'), tokens: PDF_TOKENS },
  {
    name: 'core/files/picture-size.ts#pictureSize',
    run: (text) => pictureSize(Buffer.from(`\xff\xd8\xff${text}`, 'latin1')),
    tokens: ['\xff', '\x00', '\xff\xe0\x00\x02', 'a'],
  },
  {
    name: 'core/fingerprint/content-sketch.ts#contentSketch',
    run: each(
      (text) => contentSketch(text.split('\n'), BASE, []),
      (text) => contentSketch([], BASE + text, []),
      (text) => contentSketch([], BASE, [text]),
    ),
    tokens: DATE_TOKENS,
    lists: {
      'many pictures': (count) => {
        const pictures = Array.from({ length: count }, (_, index) => `${BASE}${index}.png`);
        return () => contentSketch([], BASE, pictures);
      },
    },
  },
  { name: 'core/fingerprint/boilerplate.ts#linesOf', run: linesOf, tokens: ['\n', ' ', 'a'] },
  { name: 'core/fingerprint/boilerplate.ts#lineHash', run: lineHash, tokens: ['\n', ' ', 'a'] },
  { name: 'core/fingerprint/link-signature.ts#linkTail', run: linkTail, tokens: URL_TOKENS },
  { name: 'core/fingerprint/link-signature.ts#tailHash', run: tailHash, tokens: URL_TOKENS },
  { name: 'base/remembered.ts#ownText', run: ownText, tokens: URL_TOKENS },
  {
    name: 'core/fingerprint/link-signature.ts#linkSignatureOf',
    run: (text) => linkSignatureOf(text.split(' ')),
    tokens: [...URL_TOKENS, ' '],
    lists: {
      'many links': (count) => {
        const urls = Array.from({ length: count }, (_, index) => `${BASE}${index}`);
        return () => linkSignatureOf(urls);
      },
    },
  },
  { name: 'core/fingerprint/normal-text.ts#normalText', run: normalText, tokens: DATE_TOKENS },
  { name: 'base/hash.ts#fnv1a', run: fnv1a, tokens: ['a', ' ', '\u{10ffff}'] },
  {
    name: 'core/fingerprint/shingle.ts#shinglesOf',
    run: shinglesOf,
    tokens: DATE_TOKENS,
    texts: { 'many words': (length) => Array.from({ length: length / 6 }, (_, index) => `w${index}`).join(' ') },
  },
  { name: 'core/fingerprint/shingle.ts#tokenHashes', run: tokenHashes, tokens: DATE_TOKENS },
  { name: 'core/fingerprint/signature.ts#textSignature', run: textSignature, tokens: DATE_TOKENS },
  {
    name: 'core/fingerprint/text-fingerprint.ts#textFingerprint',
    run: (text) => textFingerprint(text.split('\n'), normalText(text), NO_BOILERPLATE),
    tokens: DATE_TOKENS,
  },
  {
    name: 'core/page-clusters/script-fingerprint.ts#scriptSkeleton',
    run: scriptSkeleton,
    tokens: ['"', "'", '`', '\\', '/*', '//', '/', '[', '[0,', '{', 'a:', '0,', ']', '}', ' ', '1', '\n', ','],
  },
  {
    name: 'core/page-clusters/script-fingerprint.ts#scriptFingerprint',
    run: (text) => scriptFingerprint({ urls: [text], inline: [text], hooks: [text] }),
    tokens: ['"', '?', '#', '1', '\n', '[', ' ', 'a'],
    lists: {
      'many scripts': (count) => {
        const inline = Array.from({ length: count }, (_, index) => `a(${index})`);
        return () => scriptFingerprint({ urls: inline, inline, hooks: inline });
      },
    },
  },
  {
    name: 'core/requests/request-operation.ts#requestOperation',
    run: (text) => [
      requestOperation({ method: 'GET', url: `https://example.org/a?${text}`, body: null, hasBody: false }),
      requestOperation({ method: 'POST', url: text, body: text, hasBody: true }),
    ],
    tokens: [...URL_TOKENS, '{"query":"', '[{', '}]', '":"', ','],
  },
  {
    name: 'core/requests/unanswered.ts#unansweredOf',
    run: (text) => unansweredOf({ reason: 'timeout', pending: [text, `fetch ${text}`] }),
    tokens: ['fetch ', 'xhr ', ' ', '\n', 'a'],
  },
  {
    name: 'core/robots/parse.ts#parseRecords',
    run: parseRecords,
    tokens: ROBOTS_TOKENS,
    texts: {
      sitemaps: (length) => repeated('sitemap: /a\n', length),
      agents: (length) => Array.from({ length: length / 18 }, (_, index) => `user-agent: a${index}\n`).join(''),
    },
  },
  {
    name: 'core/robots/named-paths.ts#namedPaths',
    run: (text) => namedPaths(parseRecords(`user-agent: *\ndisallow: /${text}`)),
    tokens: [...ROBOTS_TOKENS, '\u00e9', '%41'],
    texts: {
      paths: (length) => Array.from({ length: length / 18 }, (_, index) => `disallow: /a${index}\n`).join(''),
    },
  },
  { name: 'core/robots/parse.ts#byteString', run: (text) => byteString(encoder.encode(text)), tokens: ['a', '\u00e9'] },
  { name: 'core/robots/parse.ts#readable', run: readable, tokens: ['a', '\u00e9'] },
  { name: 'core/robots/parse.ts#productTokenOf', run: productTokenOf, tokens: ['a', '-', '_', ' '] },
  {
    name: 'core/robots/robots-file.ts#parseRobots',
    run: each(
      (text) =>
        parseRobots(`user-agent: *\ndisallow: /${text}`).verdict('Orbweaver/1.0 (+https://example.org)', `${BASE}a`),

      (text) => parseRobots('user-agent: *\ndisallow: /*a*b$').verdict('a', BASE + text),
    ),
    tokens: [...ROBOTS_TOKENS, 'disallow: /*a*b\n', 'http://', '%41'],
    texts: {
      rules: (length) => Array.from({ length: length / 24 }, (_, index) => `disallow: /a${index}*b*c\n`).join(''),
      delays: (length) => `user-agent: *\n${repeated('crawl-delay: 1\n', length)}`,
    },
  },
  {
    name: 'core/robots/match.ts#compileRules',
    dear: { times: 4, bound: 'ROBOTS_BYTE_LIMIT: 500 KiB of rules' },
    run: (text) => compileRules(text.split('\n').map((pattern, line) => ({ allow: line % 2 === 0, pattern, line }))),
    tokens: ['/', '*', '$', '%', '%41', '?', 'a', '\n'],
  },
  {
    name: 'core/robots/match.ts#decidingRule',
    dear: { times: 4, bound: 'ROBOTS_BYTE_LIMIT, MATCH_STEP_LIMIT' },
    run: (text) => {
      const half = text.length >> 1;
      return decidingRule(
        compileRules(
          text
            .slice(0, half)
            .split('\n')
            .map((pattern, line) => ({ allow: false, pattern: `/${pattern}`, line })),
        ),
        `/${text.slice(half)}`,
      );
    },
    tokens: ['/', '*', '*a', '$', '%', '%41', '?', 'a', '\n'],
  },
  {
    name: 'core/robots/page-robots.ts#pageRobots',
    run: (text) => pageRobots([text], [['x-robots-tag', text]], 'Orbweaver'),
    tokens: [',', ' ', ':', 'a', 'noindex', '*', '_', '\n'],
    lists: {
      'many headers': (count) => {
        const headers = Array.from({ length: count }, () => ['x-robots-tag', 'noindex'] as const);
        return () => pageRobots([], headers, 'a');
      },
    },
  },
];
export { PROSE_TOKENS };
