/** Parsers of `core/links` that read whole texts. */
import { readMarkup } from '../../../src/base/markup-events.ts';
import { parsedJson } from '../../../src/base/safe-json.ts';
import { blockJsonLinks } from '../../../src/core/links/data/block-json.ts';
import { DISCOVERERS, fileLinks } from '../../../src/core/links/catalogue.ts';
import { cssReferences } from '../../../src/core/links/markup/css-text.ts';
import { dataLinks } from '../../../src/core/links/markup/data-attributes.ts';
import { elementLinks, styleLinks } from '../../../src/core/links/markup/element-links.ts';
import { withShownMail } from '../../../src/core/links/texts/hidden-mail.ts';
import { headerLinks, refreshHeaderTarget } from '../../../src/core/links/data/header.ts';
import { fragmentLinks } from '../../../src/core/links/markup/html-fragment.ts';
import { jsonFeedLinks } from '../../../src/core/links/data/json-feed.ts';
import { jsonStrings } from '../../../src/core/links/data/json-strings.ts';
import { jsonTexts } from '../../../src/core/links/data/json-texts.ts';
import { manifestLinks } from '../../../src/core/links/data/manifest.ts';
import { markupReferences } from '../../../src/core/links/markup/markup-references.ts';
import { metaLinks, refreshTarget as metaRefreshTarget } from '../../../src/core/links/markup/meta-content.ts';
import { isForPrograms, namesPage, pageOfReference, relTokens } from '../../../src/core/links/page-link.ts';
import { readSitemap } from '../../../src/core/links/data/sitemap.ts';
import { readsLikeSitemap } from '../../../src/core/links/data/robots-links.ts';
import { srcsetUrls } from '../../../src/core/links/markup/srcset.ts';
import { markdownLinks, textUrls } from '../../../src/core/links/texts/text-urls.ts';
import { isWholeDocument } from '../../../src/core/links/markup/whole-document.ts';
import { commentLinks } from '../../../src/core/links/markup/comment-links.ts';
import { commentUrls, mayHoldUrls, writtenUrls } from '../../../src/core/links/texts/written-urls.ts';
import { drained, repeated, type ParserCase } from './parser-case.ts';

export const BASE = 'https://example.org/';
const encoded = new TextEncoder();

export const CSS_TOKENS: readonly string[] = [
  'url(',
  'src(',
  '@import ',
  '\\aaaaaa',
  '\\',
  '"',
  "'",
  '(',
  ')',
  '/*',
  ' ',
  'a',
  '@namespace',
  'image-set(',
];
export const JSON_TOKENS: readonly string[] = [
  '[',
  '{"url":',
  '"/a",',
  '"',
  '\\',
  ' ',
  '<!--',
  ']]>',
  '//',
  'a(',
  '\n',
  '1',
];
export const MARKUP_TOKENS: readonly string[] = [
  '<a href="/b">',
  '<!--',
  '<!---->',
  '<![CDATA[',
  '<?xml ',
  '<a ',
  '</a>',
  '<',
  '&',
  '&amp;',
  '"',
  '=',
  ' ',
  'a',
  '<title>',
];
export const PROSE_TOKENS: readonly string[] = [
  'https://',
  'http://a.b/',
  'www.',
  '.',
  ')',
  '(',
  '[',
  '](',
  ']',
  '![',
  ' ',
  'a',
  '<',
  '*_',
  '\n',
  '\u2026',
];

const nested = (open: string, close: string, inner: string) => (length: number) => {
  const depth = Math.floor((length - inner.length) / (open.length + close.length));
  return open.repeat(depth) + inner + close.repeat(depth);
};
const list = (item: string) => (length: number) => `[${repeated(`${item},`, length)}0]`;
const numbered = (make: (index: number) => string) => (length: number) => {
  let text = '';
  for (let index = 0; text.length < length; index += 1) text += make(index);
  return text;
};
const JSON_TEXTS: NonNullable<ParserCase['texts']> = {
  'lists in lists': nested('[', ']', '"/a/b"'),
  'records in records': nested('{"url":', '}', '"/a/b"'),
  'many addresses': list('"/path/to/page"'),
  'many markup': list('"<a href=/b>"'),
  'many keys': (length) => `{${numbered((index) => `"/key/${index}":"/a${index}",`)(length)}"a":0}`,
  'one long text': (length) => `"${repeated('/a', length)}"`,
};

const attributes = (make: (index: number) => readonly [string, string]) => (count: number) => {
  const all = new Map(Array.from({ length: count }, (_, index) => make(index)));
  const element = {
    namespace: 'html' as const,
    name: 'a',
    attributes: [...all.keys()],
    attribute: (name: string) => all.get(name) ?? null,
    words: () => '',
    formMethod: () => 'get',
  };
  return () => elementLinks(element);
};
const elementWith = (name: string, attribute: string) => (value: string) =>
  elementLinks({
    namespace: 'html',
    name,
    attributes: [attribute],
    attribute: (asked) => (asked === attribute ? value : asked === 'http-equiv' ? 'refresh' : null),
    words: () => '',
    formMethod: () => 'get',
  });
const file = (contentType: string, url: string) => (text: string) => ({
  url,
  contentType,
  text,
  bytes: encoded.encode(text),
  truncated: false,
});
const discovered = (name: string, contentType: string, url: string): ParserCase['run'] => {
  const discoverer = DISCOVERERS.find((each) => each.name === name);
  if (discoverer === undefined) throw new Error(`no discoverer ${name}`);
  return (text) => discoverer.discover(file(contentType, url)(text));
};

const SITEMAP_TEXTS: NonNullable<ParserCase['texts']> = {
  'many entries': (length) => `<urlset>${repeated('<url><loc>/a</loc></url>', length)}`,
  'many places in one entry': (length) => `<urlset><url>${repeated('<loc>http://a.b/</loc>', length)}</url>`,
  'an open entry': (length) => `<urlset><url><loc>${repeated('a', length)}`,
  deep: (length) => `<urlset>${repeated('<url>', length)}`,
  'many attributes': (length) => `<urlset ${numbered((index) => `a${index}="b" `)(length)}>`,
  entities: (length) => `<urlset><url><loc>${repeated('&amp;', length)}`,
  lines: (length) => repeated('http://a.b/\n', length),
};

export const LINK_PARSERS: readonly ParserCase[] = [
  {
    name: 'core/links/markup/css-text.ts#cssReferences',
    run: (text) => cssReferences(text, BASE),
    tokens: CSS_TOKENS,
    texts: {
      'many addresses': numbered((index) => `a{b:url(/${index})}`),
      'an address of escapes': (length) => `url(${repeated('\\aaaaaa', length)}`,
    },
  },
  {
    name: 'core/links/markup/element-links.ts#styleLinks',
    run: (text) => styleLinks(text, 'style'),
    tokens: CSS_TOKENS,
    texts: { 'a set of pictures': (length) => `image-set(${repeated('"a.png" 1x,', length)})` },
  },
  {
    name: 'core/links/markup/element-links.ts#elementLinks',
    run: (text) => {
      elementWith('div', 'style')(text);
      elementWith('img', 'srcset')(text);
      elementWith('a', 'ping')(text);
      elementWith('object', 'archive')(text);
      elementWith('meta', 'content')(text);
      elementWith('object', 'data')(text);
      return elementWith('a', 'href')(text);
    },
    tokens: ['url(', ',', ' ', '/', '.', '#', '"', 'javascript:', 'a', '%', '0;', '\n'],
    lists: {
      'many attributes with data': attributes((index) => [`data-url${index}`, `/path/${index}`]),
      'many handlers': attributes((index) => [`on${index}abc`, `location="/path/${index}"`]),
      'many attributes without links': attributes((index) => [`a${index}`, 'b']),
    },
  },
  {
    name: 'core/links/texts/hidden-mail.ts#withShownMail',
    run: (text) => [withShownMail(text), withShownMail(`/cdn-cgi/l/email-protection#${text}`)],
    tokens: ['https://', '/cdn-cgi/l/email-protection', '#', '6e', 'a', ' ', '\n'],
  },
  {
    name: 'core/links/markup/data-attributes.ts#dataLinks',
    run: (text) => [
      dataLinks('a', 'data-src', text),
      dataLinks('a', 'data-url', text),
      dataLinks('a', 'data-srcset', text),
      dataLinks('div', `data-${text}`, '/a.html'),
    ],
    tokens: ['url(', ' ', '"', "'", ')', '[', '{', '/', '.', '#', '-', ',', 'a', 'src'],
    texts: JSON_TEXTS,
  },
  {
    name: 'core/links/markup/srcset.ts#srcsetUrls',
    run: srcsetUrls,
    tokens: [',', ' ', 'a', '(', ')', 'a,', '1x', '/'],
  },
  {
    name: 'core/links/data/block-json.ts#blockJsonLinks',
    run: (text) => [
      blockJsonLinks('application/ld+json', `${text}/`),
      blockJsonLinks('importmap', `${text}/`),
      blockJsonLinks('speculationrules', `${text}/`),
      blockJsonLinks('application/json', `${text}/`),
      blockJsonLinks(text, '/'),
    ],
    tokens: [...JSON_TOKENS, '-->', '/*', '*/', ';', 'a.'],
    texts: JSON_TEXTS,
  },
  {
    name: 'core/links/data/json-feed.ts#jsonFeedLinks',
    run: (text) => [
      jsonFeedLinks(text, BASE),
      jsonFeedLinks(
        JSON.stringify({ version: 'https://jsonfeed.org/version/1', items: [{ content_html: text }] }),
        BASE,
      ),
    ],
    tokens: [...MARKUP_TOKENS, '{', '}', '"', 'jsonfeed.org/version/'],
  },
  {
    name: 'core/links/data/json-strings.ts#jsonStrings',
    dear: { times: 6, bound: 'NODE_LIMIT: 100,000 values, HTML_LIMIT: 5,000 strings of HTML' },
    run: (text) => jsonStrings(text, BASE),
    tokens: JSON_TOKENS,
    texts: {
      ...JSON_TEXTS,
      'many lines': (length) => repeated('{"url":"/a/b"}\n', length),
      'a call': (length) => `a(${repeated(' ', length)}`,
    },
  },
  {
    name: 'core/links/data/json-texts.ts#jsonTexts',
    run: (text) => drained(jsonTexts(parsedJson(text))),
    tokens: JSON_TOKENS,
    texts: JSON_TEXTS,
  },
  { name: 'base/safe-json.ts#parsedJson', run: parsedJson, tokens: JSON_TOKENS, texts: JSON_TEXTS },
  {
    name: 'core/links/data/manifest.ts#manifestLinks',
    run: (text) => manifestLinks(text, BASE),
    tokens: JSON_TOKENS,
    texts: {
      ...JSON_TEXTS,
      'many shortcuts': (length) => `{"shortcuts":${list('{"url":"/a","icons":[{"src":"/b"}]}')(length)}}`,
    },
  },
  {
    name: 'core/links/markup/html-fragment.ts#fragmentLinks',
    run: (text) => fragmentLinks(`<a href="/a">${text}`, BASE),
    tokens: MARKUP_TOKENS,
  },
  { name: 'core/links/page-link.ts#pageOfReference', run: pageOfReference, tokens: ['/a', '#', '!', '/', '?'] },
  { name: 'core/links/page-link.ts#relTokens', run: relTokens, tokens: ['a', ' ', ',', 'nofollow', '\n'] },
  {
    name: 'core/links/data/robots-links.ts#readsLikeSitemap',
    run: readsLikeSitemap,
    tokens: ['https://', '/', 'sitemap', '.xml', '.gz', '?'],
  },
  {
    name: 'core/links/markup/markup-references.ts#markupReferences',
    also: ['core/links/markup/xml-bases.ts#XmlBases'],
    run: (text) => markupReferences(text, BASE),
    tokens: [...MARKUP_TOKENS, '<description>', '</description>', '<?xml-stylesheet '],
    texts: {
      'an instruction': (length) => `<?xml-stylesheet ${repeated('a ', length)}`,
      'many attributes': (length) => `<a ${numbered((index) => `a${index}="b" `)(length)}>`,
      'nested bases': (length) => repeated('<a xml:base="b/" href="c">', length),
      entries: (length) => repeated('<entry><link href="/a"/><content>&lt;a href="/b"&gt;</content></entry>', length),
    },
  },
  {
    name: 'core/links/markup/meta-content.ts#metaLinks',
    run: (text) => [
      metaLinks('msapplication-task', `${text}/`),
      metaLinks('og:image', `${text}/`),
      metaLinks('og:url', `${text}/`),
      metaLinks(text, '/'),
    ],
    tokens: [';', '-uri', 'a', '=', ' ', '/', '.', '_', ':', 'wide1', 'square1x', '%'],
  },
  {
    name: 'core/links/markup/meta-content.ts#refreshTarget',
    run: metaRefreshTarget,
    tokens: ['0', '.', ' ', ';', ',', 'url', '=', '"', "'", 'a', '\n'],
  },
  {
    name: 'core/links/data/header.ts#refreshHeaderTarget',
    run: refreshHeaderTarget,
    tokens: ['0', '.', ' ', ';', ',', 'url', '=', '"', "'", 'a', '\n'],
  },
  {
    name: 'core/links/page-link.ts#isForPrograms',
    also: ['core/links/page-link.ts#namesPage'],
    run: (text) => [isForPrograms(text), namesPage(text.split(' '))],
    tokens: ['application/', 'json', '+', '/', ';', ' ', 'a', 'next', 'A'],
  },
  {
    name: 'core/links/data/header.ts#headerLinks',
    run: (text) =>
      headerLinks(
        [
          ['link', text],
          ['refresh', text],
          ['content-location', text],
        ],
        BASE,
      ),
    tokens: ['<', '>', ',', ';', ' ', '"', '\\', '=', 'rel', '<a>;rel=next,', 'a'],
    lists: {
      'many headers': (count) => {
        const headers = Array.from({ length: count }, () => ['link', '</a>; rel=next'] as const);
        return () => headerLinks(headers, BASE);
      },
      'one header of many links': (count) => {
        const value = '</a>;rel=next,'.repeat(count);
        return () => headerLinks([['link', value]], BASE);
      },
    },
  },
  {
    name: 'core/links/data/sitemap.ts#readSitemap',
    run: (text) => [
      readSitemap(text, BASE),
      readSitemap(`https://example.org/${text}`, BASE, true),
      readSitemap(`<urlset><url>${text}`, BASE),
      readSitemap(`<rss><item>${text}`, BASE),
    ],
    tokens: [...MARKUP_TOKENS, '<loc>', '<loc ', '<url>', '</url>', '\n', '\r'],
    texts: SITEMAP_TEXTS,
  },
  { name: 'core/links/texts/text-urls.ts#textUrls', run: (text) => textUrls(text, BASE), tokens: PROSE_TOKENS },
  {
    name: 'core/links/texts/text-urls.ts#markdownLinks',
    run: (text) => markdownLinks(text, BASE),
    tokens: PROSE_TOKENS,
  },
  {
    name: 'core/links/markup/whole-document.ts#isWholeDocument',
    run: isWholeDocument,
    tokens: [...MARKUP_TOKENS, '-->', '<svg', '?>', '\uFEFF'],
  },
  { name: 'core/links/texts/written-urls.ts#writtenUrls', run: (text) => writtenUrls(text), tokens: PROSE_TOKENS },
  {
    name: 'core/links/texts/written-urls.ts#commentUrls',
    run: (text) => commentUrls(text),
    tokens: [...PROSE_TOKENS, ' href', '=', '"'],
  },
  {
    name: 'core/links/markup/comment-links.ts#commentLinks',
    run: commentLinks,
    tokens: [...PROSE_TOKENS, ' href', '=', '"', '/delete', '.js'],
  },
  {
    name: 'core/links/texts/written-urls.ts#mayHoldUrls',
    run: mayHoldUrls,
    tokens: ['http', 'https', ':', '/', 'www', '.'],
  },
  {
    name: 'core/links/catalogue.ts#fileLinks',
    also: ['core/links/catalogue.ts#sitemapLinks'],
    run: (text) => [
      fileLinks(file('text/plain', `${BASE}a.txt`)(text)),
      discovered('robots', 'text/plain', `${BASE}robots.txt`)(text),
    ],
    tokens: ['sitemap', ':', ' ', '\t', '\n', 'http://a.b/', 'a', '\r'],
    texts: { 'lines of a sitemap': (length) => repeated('http://a.b/c\n', length) },
  },
  {
    name: 'base/markup-events.ts#readMarkup',
    run: (text) => {
      readMarkup(text, {}, { xml: false, lowerCase: true });
      readMarkup(text, {}, { xml: true, lowerCase: true });
    },
    tokens: [...MARKUP_TOKENS, '</', '<p>', '<svg>', '<script>', '<!DOCTYPE', '-', ']', '&#'],
    texts: { 'many attributes': (length) => `<a ${numbered((index) => `a${index}="b" `)(length)}>` },
  },
];
