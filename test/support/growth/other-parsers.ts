/** Parsers of the model, of single values, and of the modules around the core. */
import { epochMs } from '../../../src/base/units.ts';
import { sniffedType } from '../../../src/core/answers/sniffed-type.ts';
import { decodedText } from '../../../src/base/decode-text.ts';
import { safeLines, safeText } from '../../../src/cli/terminal/safe-text.ts';
import { replayedHeaders } from '../../../src/replay/answer-headers.ts';
import { recordedOrigins } from '../../../src/replay/recorded-origins.ts';
import { headerRobots } from '../../../src/core/answers/answer-outcome.ts';
import { answerHead, judgeAnswer } from '../../../src/core/answers/judge-answer.ts';
import { lastModified } from '../../../src/core/answers/last-modified.ts';
import { readHtml } from '../../../src/core/html/tree.ts';
import { comparedKeys } from '../../../src/core/interaction/compared-keys.ts';
import { keyPressOf } from '../../../src/core/interaction/key-press.ts';
import { destructionOf, destructionOfMarks } from '../../../src/core/interaction/destructive-action.ts';
import { formValues } from '../../../src/core/interaction/form-values.ts';
import { isPlaceholder } from '../../../src/core/interaction/placeholder.ts';
import { isCodeRequest, isSafeRequest } from '../../../src/core/interaction/safe-request.ts';
import { fileLink } from '../../../src/core/links/discoverer.ts';
import { imageSetStrings } from '../../../src/core/links/markup/image-set.ts';
import { withoutRequestedData as withoutRequested } from '../../../src/core/links/data/requested-data.ts';
import { KnownTargets } from '../../../src/core/links/known-targets.ts';
import { resolveLink } from '../../../src/core/links/resolve.ts';
import { resolveSubresource } from '../../../src/core/links/subresource.ts';
import { withoutClosing } from '../../../src/core/links/texts/url-end.ts';
import { cookiesSetBy, recognisesVisitors, testTargetOf } from '../../../src/core/cookies/cookie-test.ts';
import { parseRetryAfter } from '../../../src/core/politeness/retry-after.ts';
import { trapIn } from '../../../src/core/scope/trap.ts';
import { addressOf, isToken, namesContent } from '../../../src/core/folding/address.ts';
import { contentOf, placesIn } from '../../../src/core/folding/page-content.ts';
import { isChoice } from '../../../src/core/traps/pattern.ts';
import { probeUrl } from '../../../src/core/traps/probe-url.ts';
import { parseIpAddress, parseIpNetwork } from '../../../src/egress/gate/ip-address.ts';
import { headerText } from '../../../src/fetch/header-text.ts';
import { headerSafe } from '../../../src/egress/network-failure.ts';
import {
  answerHeaders,
  archivableHeaders,
  endToEndHeaders,
  requestHeaders,
} from '../../../src/egress/proxy/forwarded-headers.ts';
import { readAbsoluteForm, readAuthorityForm, readOriginForm } from '../../../src/egress/proxy/request-target.ts';
import { decodersFor } from '../../../src/base/content-coding.ts';
import { loadedSubresources } from '../../../src/fetch/static/loaded-subresources.ts';
import { documentElements, markupLinks } from '../../../src/fetch/static/markup-links.ts';
import { csvLine } from '../../../src/inspect/export/csv-text.ts';
import { urlEntry } from '../../../src/inspect/export/sitemap-text.ts';
import {
  isJson,
  isManifest,
  isMarkdown,
  isPdf,
  isPicture,
  isProse,
  isScript,
  isXml,
} from '../../../src/model/media-type.ts';
import {
  canonicalise,
  canonicalUrl,
  DEFAULT_URL_POLICY,
  storedCanonicalUrl,
} from '../../../src/model/url/canonical-url.ts';
import { isLocalhost, isLoopbackName } from '../../../src/base/loopback-name.ts';
import { endpointOf, hostNameOf, registrableDomainOf } from '../../../src/model/url/host-key.ts';
import { normalEscapes } from '../../../src/model/url/normal-escapes.ts';
import { isCleaned, writtenName } from '../../../src/model/url/url-parameters.ts';
import { patternSource } from '../../../src/model/url/pattern-source.ts';
import { decodedParts, queryParts, withParts } from '../../../src/model/url/query-parts.ts';
import { urlShape } from '../../../src/model/url/url-shape.ts';
import { joinedChunks } from '../../../src/warc/chunked-body.ts';
import { readIndexLine } from '../../../src/warc/cdxj-line.ts';
import { postQuery, withPostQuery } from '../../../src/warc/post-query.ts';
import { surt } from '../../../src/warc/surt.ts';
import { parseHead, parseRecord, statusOf } from '../../../src/warc/warc-parse.ts';
import { oneLine, safeUri } from '../../../src/warc/warc-record.ts';
import { BASE, JSON_TOKENS, MARKUP_TOKENS } from './link-parsers.ts';
import { repeated, type ParserCase } from './parser-case.ts';
import { URL_TOKENS } from './text-parsers.ts';

const ESCAPES: readonly string[] = [
  '\u001b',
  '\u001b[',
  '\u009b',
  '\u001b]',
  '\u009d',
  ';',
  '0',
  '#',
  '?',
  'm',
  '\u0007',
  '\n',
  '\t',
  'a',
  '\u202e',
];
const canonicalUrls = (text: string): readonly NonNullable<ReturnType<typeof canonicalUrl>>[] =>
  // a URL in a crawl has 2,048 characters at most
  Array.from({ length: Math.ceil(text.length / 1900) }, (_, index) =>
    canonicalUrl(`https://a.b/${text.slice(index * 1900, (index + 1) * 1900)}`),
  ).filter((url) => url !== null);
const ofUrls =
  (read: (url: NonNullable<ReturnType<typeof canonicalUrl>>) => unknown): ParserCase['run'] =>
  (text) =>
    canonicalUrls(text).map(read);
const foundLinks = (text: string) =>
  Array.from({ length: Math.ceil(text.length / 1900) }, (_, index) =>
    fileLink(text.slice(index * 1900, (index + 1) * 1900), BASE, { kind: 'json', context: 'json' }),
  );
const numbered = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');
const many = (make: (index: number) => readonly string[]) => (count: number) =>
  Array.from({ length: count }, (_, index) => make(index)).flat();
const FIELD = {
  tag: 'input',
  type: 'radio',
  autocomplete: '',
  label: '',
  pattern: '',
  min: '',
  max: '',
  step: '',
  minLength: -1,
  maxLength: -1,
  required: false,
  filled: false,
  checked: false,
  options: [],
  visible: true,
} as const;
const CLEAN = Array.from({ length: 200 }, () => ({ names: ['a'], path: '/*a*a*b' }));
const CLEANED = { ...DEFAULT_URL_POLICY, cleanParams: () => CLEAN };
const bytes = new TextEncoder();

export const OTHER_PARSERS: readonly ParserCase[] = [
  {
    name: 'core/links/texts/url-end.ts#withoutClosing',
    run: (text) => withoutClosing(text, new Set('.,'), { ')': '(' }),
    tokens: ['.', ',', ')', '(', 'a'],
  },
  {
    name: 'core/links/markup/image-set.ts#imageSetStrings',
    run: imageSetStrings,
    tokens: ['image-set(', '(', ')', '"', "'", 'a', '-', ' ', '\n', 'type('],
  },
  {
    name: 'core/links/resolve.ts#resolveLink',
    run: (text) => foundLinks(text).map((each) => resolveLink(each, DEFAULT_URL_POLICY, BASE)),
    tokens: [...URL_TOKENS, ' '],
  },
  {
    name: 'core/links/known-targets.ts#KnownTargets',
    run: (text) => {
      const known = new KnownTargets(DEFAULT_URL_POLICY);
      const to = storedCanonicalUrl('http://kept.example/');
      for (const each of foundLinks(text)) known.keep({ ...each, base: text }, to, DEFAULT_URL_POLICY);
      return foundLinks(text).map((each) => known.get({ ...each, base: text }, DEFAULT_URL_POLICY));
    },
    tokens: [...URL_TOKENS, ' ', '/..'],
  },
  {
    name: 'core/links/subresource.ts#resolveSubresource',
    run: (text) => foundLinks(text).map((each) => resolveSubresource(each, DEFAULT_URL_POLICY, BASE)),
    tokens: [...URL_TOKENS, ' ', 'data:'],
  },
  {
    name: 'core/links/data/requested-data.ts#withoutRequestedData',
    also: ['core/links/data/requested-data.ts#withoutRequestedTexts'],
    run: (text) =>
      withoutRequested(
        foundLinks(text),
        foundLinks(text).map(({ href }) => BASE + href),
      ),
    tokens: [...URL_TOKENS, ' ', '/data/a.json '],
  },
  {
    name: 'core/answers/judge-answer.ts#answerHead',
    also: ['model/media-type.ts#declaredTypeOf', 'model/media-type.ts#essenceOf'],
    run: (text) =>
      answerHead(200, [
        { name: 'content-type', value: text },
        { name: text, value: text },
      ]),
    tokens: [';', ',', ' ', 'a', '/', 'a/b;charset='],
    lists: {
      'many headers': (count) => {
        const raw = Array.from({ length: count }, () => ({ name: 'a', value: 'b' }));
        return () => answerHead(200, raw);
      },
    },
  },
  {
    name: 'core/answers/judge-answer.ts#judgeAnswer',
    run: (text) =>
      judgeAnswer({
        status: 200,
        contentType: '',
        headers: [
          ['content-disposition', text],
          ['content-length', text],
        ],
      }),
    tokens: [' ', 'attachment', '\t', '1'],
  },
  {
    name: 'core/answers/answer-outcome.ts#headerRobots',
    run: (text) => headerRobots({ status: 200, contentType: '', headers: [['x-robots-tag', text]] }),
    tokens: [',', ':', ' ', 'a', 'max-snippet', '\n'],
  },
  {
    name: 'core/answers/last-modified.ts#lastModified',
    run: (text) => lastModified([['last-modified', text]], epochMs(0)),
    tokens: ['Mon, ', '01 Jan 2020', ' ', '1', ':'],
  },
  {
    name: 'fetch/header-text.ts#headerText',
    run: (text) => headerText('location', text) + headerText('link', text),
    tokens: ['a', '\xc3', '\xa4', '\xff', '%'],
  },
  {
    name: 'core/cookies/cookie-test.ts#cookiesSetBy',
    also: ['core/cookies/cookie-test.ts#recognisesVisitors'],
    run: (text) => [cookiesSetBy([['set-cookie', text]]), recognisesVisitors([['set-cookie', `${text}=1`]])],
    tokens: ['a', '=', ';', '\n', ' max-age=0', 'expires= 1970'],
  },
  {
    name: 'core/cookies/cookie-test.ts#testTargetOf',
    run: (text) => testTargetOf(storedCanonicalUrl('https://example.org/a?b=c'), text),
    tokens: ['?', '&', 'b=c', '/a', 'https://example.org/a?b=c', '%2F'],
  },
  {
    name: 'core/politeness/retry-after.ts#parseRetryAfter',
    run: (text) => parseRetryAfter(text, epochMs(0)),
    tokens: ['1', '.', ' ', 'mon', ',', 'jan'],
  },
  {
    name: 'core/interaction/form-values.ts#formValues',
    run: (text) => formValues({ fields: [{ ...FIELD, index: 0, type: 'text', name: text, pattern: text }] }),
    tokens: ['\\d', '[0-9]', '{', '1', 'a', 'mail'],
    lists: {
      'many radio buttons': (count) => {
        const fields = Array.from({ length: count }, (_, index) => ({ ...FIELD, index, name: `a${index}` }));
        return () => formValues({ fields });
      },
    },
  },
  {
    name: 'core/interaction/destructive-action.ts#destructionOf',
    run: (text) => destructionOf({ words: text, marks: text }),
    tokens: ['delete', ' ', '_', 'aB', '-', 'log', '\u00a0'],
  },
  {
    name: 'core/interaction/destructive-action.ts#destructionOfMarks',
    run: destructionOfMarks,
    tokens: ['delete', '_', 'aB', '-', 'log', 'out'],
  },
  {
    name: 'core/interaction/compared-keys.ts#comparedKeys',
    run: comparedKeys,
    tokens: [
      'key',
      '=',
      '===',
      '"a"',
      "'",
      'e.key',
      'switch(',
      ' ',
      '{',
      'case ',
      '[',
      '].includes(',
      'ctrl',
      '+',
      'ctrlKey',
      '.',
      '12',
    ],
  },
  {
    name: 'core/interaction/key-press.ts#keyPressOf',
    run: (text) => keyPressOf(text, ['ctrl']),
    tokens: ['a', '+', '.', ' ', 'ctrl', 'window', 'Key', '1'],
  },
  {
    name: 'core/interaction/safe-request.ts#isSafeRequest',
    run: (text) => [
      isSafeRequest({ method: 'POST', url: BASE, body: JSON.stringify({ query: text }) }),
      isSafeRequest({ method: 'GET', url: `${BASE}?${text}`, body: null }),
    ],
    tokens: ['"', '\\', '"""', '#', '\n', '{', 'query', 'a', ' '],
  },
  {
    name: 'core/interaction/safe-request.ts#isCodeRequest',
    run: (text) => isCodeRequest({ method: 'GET', url: `${BASE}${text}`, body: null }),
    tokens: ['.', 'js', '/', 'delete', '?', '-'],
  },
  {
    name: 'core/interaction/placeholder.ts#isPlaceholder',
    run: (text) => isPlaceholder({ index: 0, value: 'a', text }),
    tokens: ['-', '.', '\u2026', ' ', 'choose', 'a', '*'],
  },
  {
    name: 'core/scope/trap.ts#trapIn',
    dear: { times: 2, bound: 'URL_LENGTH_LIMIT: 2,048 characters' },
    run: ofUrls(trapIn),
    tokens: URL_TOKENS,
  },
  {
    name: 'core/traps/pattern.ts#isChoice',
    dear: { times: 2, bound: 'URL_LENGTH_LIMIT: 2,048 characters' },
    run: ofUrls(isChoice),
    tokens: URL_TOKENS,
  },
  {
    name: 'core/traps/probe-url.ts#probeUrl',
    dear: { times: 2, bound: 'URL_LENGTH_LIMIT: 2,048 characters' },
    run: ofUrls(probeUrl),
    tokens: [...URL_TOKENS, '2020', '?='],
  },
  {
    name: 'model/url/canonical-url.ts#canonicalise',
    run: (text) => canonicalise(text, BASE),
    tokens: [...URL_TOKENS, ';sid=1', '(S(aaaaaaaa))', '/..', ' '],
  },
  {
    name: 'model/url/canonical-url.ts#canonicalUrl',
    dear: { times: 2, bound: 'URL_LENGTH_LIMIT: 2,048 characters' },
    run: (text) => [canonicalUrls(text), canonicalUrls(`?${text}`).map((url) => canonicalise(url, undefined, CLEANED))],
    tokens: [...URL_TOKENS, 'a&', ';sid=1', '(S(aaaaaaaa))'],
  },
  {
    name: 'model/url/normal-escapes.ts#normalEscapes',
    run: normalEscapes,
    tokens: ['%', '%4', '%41', '%5b', '[', 'a'],
  },
  {
    name: 'model/url/query-parts.ts#queryParts',
    also: [
      'model/url/query-parts.ts#withParts',
      'model/url/query-parts.ts#semicolonsPart',
      'model/url/query-parts.ts#decodedParts',
    ],
    run: (text) => [queryParts(text), [...decodedParts(text)], withParts(text, (part) => (part === 'a' ? null : part))],
    tokens: ['a', ';', '&', '=', 'b=1'],
  },
  {
    name: 'model/url/url-parameters.ts#writtenName',
    run: writtenName,
    tokens: ['%', '%41', '[', 'ö', 'a', '?', '#'],
  },
  {
    name: 'model/url/url-parameters.ts#isCleaned',
    run: (text) => isCleaned('a', text, [{ names: ['a'], path: text.slice(text.length / 2) }]),
    tokens: ['*', 'a', '/', '*a'],
  },
  {
    name: 'core/folding/address.ts#addressOf',
    dear: { times: 2, bound: 'URL_LENGTH_LIMIT: 2,048 characters' },
    run: ofUrls(addressOf),
    tokens: [...URL_TOKENS, '#', '?a=b', '#/'],
  },
  {
    name: 'core/folding/address.ts#isToken',
    run: isToken,
    tokens: ['1', 'a', '-', 'G', '.'],
  },
  {
    name: 'core/folding/address.ts#namesContent',
    run: namesContent,
    tokens: ['[', ']', 'id', '_', '%', '%41', 'a'],
  },
  {
    name: 'core/folding/page-content.ts#contentOf',
    dear: { times: 2, bound: 'URL_LENGTH_LIMIT: 2,048 characters' },
    run: ofUrls((url) => contentOf({ url, title: '', digest: '', targets: [url, `${url}x`] })),
    tokens: URL_TOKENS,
  },
  {
    name: 'core/folding/page-content.ts#placesIn',
    run: placesIn,
    tokens: [' id="', '"', 'a', '\n', '<', ' id='],
  },
  {
    name: 'model/url/pattern-source.ts#patternSource',
    dear: { times: 2, bound: 'PROGRAM_LENGTH: patterns have 100 characters' },
    run: (text) => patternSource(`http://a.test/${text}`),
    tokens: ['*', '/', '#', '##', '?', '&', 'a', '**/', '@', '.'],
  },
  {
    name: 'model/url/url-shape.ts#urlShape',
    dear: { times: 2, bound: 'URL_LENGTH_LIMIT: 2,048 characters' },
    run: ofUrls((url) =>
      (['program', 'place', 'page', 'route'] as const).map((granularity) => urlShape(url, granularity)),
    ),
    tokens: [...URL_TOKENS, 'abcdef12'],
    texts: {
      'figures, then letters': (length) =>
        numbered(Math.ceil(length / 1900), () => repeated('1', 633) + repeated('a', 1267)),
    },
  },
  {
    name: 'base/loopback-name.ts#isLoopbackName',
    also: ['base/loopback-name.ts#isLocalhost'],
    run: (text) => [isLoopbackName(text), isLocalhost(text)],
    tokens: ['127.', '.localhost', '[::1]', 'a'],
  },
  { name: 'model/url/host-key.ts#endpointOf', run: ofUrls(endpointOf), tokens: URL_TOKENS },
  { name: 'model/url/host-key.ts#hostNameOf', run: ofUrls(hostNameOf), tokens: URL_TOKENS },
  {
    name: 'model/url/host-key.ts#registrableDomainOf',
    run: (text) =>
      [text.slice(0, 2000)]
        .map((host) => canonicalUrl(`https://${host}.org/`))
        .map((url) => url && registrableDomainOf(url)),
    tokens: ['a', '.', '-', 'a.', 'xn--'],
  },
  {
    name: 'model/media-type.ts#isJson',
    also: [
      'model/media-type.ts#isManifest',
      'model/media-type.ts#isScript',
      'model/media-type.ts#isMarkdown',
      'model/media-type.ts#isProse',
      'model/media-type.ts#isXml',
      'model/media-type.ts#isPdf',
      'model/media-type.ts#isPicture',
      'model/media-type.ts#urlPathOf',
    ],
    run: (text) => [
      isJson(`application/${text}`),
      isManifest('application/json', BASE + text),
      isScript(text),
      isMarkdown('text/plain', BASE + text),
      isProse(text, BASE),
      isXml(text),
      isPdf(text),
      isPicture(text),
    ],
    tokens: ['+', '.', 'a', 'x-', '/', 'json', 'text/'],
  },
  {
    name: 'egress/proxy/request-target.ts#readAbsoluteForm',
    also: ['egress/proxy/request-target.ts#readAuthorityForm'],
    run: (text) => [readAbsoluteForm(`http://${text}`), readAuthorityForm(text), readAuthorityForm(`[${text}`)],
    tokens: URL_TOKENS,
  },
  {
    name: 'egress/proxy/request-target.ts#readOriginForm',
    run: (text) => readOriginForm(`/${text}`, { scheme: 'https', hostName: 'a', port: 1, authority: 'a', path: '/' }),
    tokens: URL_TOKENS,
  },
  {
    name: 'egress/proxy/forwarded-headers.ts#endToEndHeaders',
    run: (text) => endToEndHeaders(['Connection', text, text, text]),
    tokens: [',', ' ', 'a', 'keep-alive'],
    lists: {
      'many headers': (count) => {
        const raw = many((index) => [`a${index}`, 'b'])(count);
        raw.push('connection', raw.join(','));
        return () => endToEndHeaders(raw);
      },
    },
  },
  {
    name: 'egress/proxy/forwarded-headers.ts#answerHeaders',
    also: ['egress/proxy/forwarded-headers.ts#escapedOctets'],
    run: (text) => answerHeaders(['Connection', text, 'Location', text]),
    tokens: [',', ' ', 'a', '\u00e9'],
  },
  {
    name: 'egress/proxy/forwarded-headers.ts#requestHeaders',
    run: (text) => requestHeaders(['Connection', text], 'a', true),
    tokens: [',', ' ', 'a'],
    lists: {
      'many headers': (count) => {
        const raw = many((index) => [`a${index}`, 'b'])(count);
        return () => requestHeaders(raw, 'a', true);
      },
    },
  },
  {
    name: 'egress/proxy/forwarded-headers.ts#archivableHeaders',
    run: (text) => archivableHeaders(['Accept-Encoding', text]),
    tokens: [',', ' ', ';', 'zstd', 'a'],
  },
  {
    name: 'egress/gate/ip-address.ts#parseIpAddress',
    also: ['egress/gate/ip-address.ts#parseIpNetwork'],
    run: (text) => [parseIpAddress(text), parseIpAddress(`[${text}]`), parseIpNetwork(`${text}/8`)],
    tokens: [':', '::', '1', '.', '1.2.3.4', '%', 'f'],
  },
  { name: 'egress/network-failure.ts#headerSafe', run: headerSafe, tokens: ['a', '\n', '\u00e9', ' '] },
  {
    name: 'warc/chunked-body.ts#joinedChunks',
    run: (text) => joinedChunks(Buffer.from(text)),
    tokens: ['0', '1', 'f', '\r\n', ';', ' ', '1\r\na\r\n'],
  },
  {
    name: 'base/content-coding.ts#decodersFor',
    run: (text) => decodersFor(text),
    tokens: [',', 'identity', ' ', 'gzip,'],
  },
  {
    name: 'warc/cdxj-line.ts#readIndexLine',
    run: (text) => {
      try {
        return readIndexLine(`a 20200101000000 {${text}}`);
      } catch {
        return null;
      }
    },
    tokens: [' ', '1', '{', '}', '"', 'a'],
  },
  {
    name: 'warc/warc-record.ts#oneLine',
    also: ['warc/warc-record.ts#safeUri'],
    run: (text) => [oneLine(text), safeUri(text)],
    tokens: ['\n', 'a', '\0', ' '],
  },
  {
    name: 'warc/post-query.ts#postQuery',
    run: (text) => [
      postQuery(bytes.encode(text), 'application/json'),
      postQuery(bytes.encode(text), 'multipart/form-data; boundary=a'),
      postQuery(bytes.encode(text), `multipart/form-data; boundary=${text.slice(0, 9)}`),
      postQuery(bytes.encode('a'), text),
    ],
    tokens: [...JSON_TOKENS, 'name="', '\r\n\r\n', 'a'],
    texts: {
      'many keys': (length) => `{${numbered(length / 10, (index) => `"${index}":1,`)}"a":1}`,
      'one key': (length) => `[${numbered(length / 9, () => '{"a":1},')}1]`,
      'many parts': (length) => numbered(length / 24, (index) => `aname="${index}"\r\n\r\nb\r\n`),
      deep: (length) => repeated('[', length / 2) + repeated(']', length / 2),
    },
  },
  {
    name: 'warc/post-query.ts#withPostQuery',
    run: (text) => withPostQuery(BASE, 'POST', text),
    tokens: ['%', '+', '&', '%41', 'a'],
  },
  { name: 'warc/surt.ts#surt', run: (text) => surt(`http://${text}`), tokens: [...URL_TOKENS, 'www1.'] },
  {
    name: 'warc/warc-parse.ts#parseHead',
    also: ['warc/warc-parse.ts#parseRecord'],
    run: (text) => {
      const head = Buffer.from(`WARC/1.1\r\n${text}\r\n\r\n`);
      parseRecord(head);
      return parseHead(head, 0, 'latin1');
    },
    tokens: ['\r\n', '\n', ':', 'a', ' ', '\r', 'content-length: 1\r\n'],
  },
  {
    name: 'warc/warc-parse.ts#statusOf',
    run: (text) => statusOf({ start: `HTTP/1.1 ${text}`, fields: [], end: 0 }),
    tokens: ['2', '0', ' '],
  },
  {
    name: 'inspect/export/csv-text.ts#csvLine',
    run: (text) => csvLine([text, [text]]),
    tokens: ['"', ',', ' ', '=', '\n', 'a'],
  },
  {
    name: 'inspect/export/sitemap-text.ts#urlEntry',
    run: (text) => urlEntry(text, null),
    tokens: ['&', '<', 'a', '"'],
  },
  {
    name: 'cli/terminal/safe-text.ts#safeText',
    run: safeText,
    tokens: ESCAPES,
    texts: { 'parameters that go on': (length) => `\u001b${repeated(';#', length)}` },
  },
  { name: 'cli/terminal/safe-text.ts#safeLines', run: safeLines, tokens: ESCAPES },
  {
    name: 'fetch/static/markup-links.ts#markupLinks',
    also: ['fetch/static/markup-element.ts#asMarkup', 'fetch/static/markup-links.ts#contentsOf'],
    dear: { times: 6, bound: 'ELEMENT_LIMIT: 300,000 elements of a document, DEPTH_LIMIT: 512 within each other' },
    run: (text) => markupLinks(readHtml(text), BASE, 10_000),
    tokens: [
      ...MARKUP_TOKENS,
      '<template>',
      '<noscript>',
      '<style>url(',
      'www.',
      '<iframe srcdoc="',
      '<button formaction="a">',
    ],
    texts: {
      'anchors in anchors': (length) => repeated('<a href="/a">', 5000) + repeated('<b></b>', length),
      'many anchors': (length) => repeated('<a href="/a">b</a>', length),
      'many texts': (length) => repeated('<b>www.a</b>', length),
      'many styles': (length) => repeated('<p style="a:url(b)"></p>', length),
    },
  },
  {
    name: 'fetch/static/markup-links.ts#documentElements',
    dear: { times: 3, bound: 'ELEMENT_LIMIT: 300,000 elements of a document' },
    run: (text) => documentElements(readHtml(text).top),
    tokens: MARKUP_TOKENS,
  },
  {
    name: 'core/answers/sniffed-type.ts#sniffedType',
    run: (text) => sniffedType(Buffer.from(text)),
    tokens: ['<', '?xml', ' ', 'a', '\u0000', '%PDF-'],
  },
  {
    name: 'base/decode-text.ts#decodedText',
    also: ['base/decode-korean.ts#decodedKorean'],
    run: (text) => ['windows-1252', 'shift_jis', 'euc-kr'].map((encoding) => decodedText(Buffer.from(text), encoding)),
    tokens: ['a', '\u00e9', '\u0080', '\u20ac'],
  },
  {
    name: 'fetch/static/loaded-subresources.ts#loadedSubresources',
    dear: { times: 3, bound: 'ELEMENT_LIMIT: 300,000 elements of a document' },
    run: (text) => loadedSubresources(readHtml(text).elements, BASE),
    tokens: [...MARKUP_TOKENS, '<link rel="stylesheet" href="a">', '<style>@import ', '<script src=a>'],
  },
  {
    name: 'replay/recorded-origins.ts#recordedOrigins',
    run: (text) => {
      const origins = recordedOrigins(['https://a.b'], 4000);
      return [
        ...[origins.served(text), origins.servedPolicy(text), origins.recorded(text)],
        ...[origins.servedUrl(text), origins.originOf(text)],
      ];
    },
    tokens: ['https:', '//', String.raw`\/`, '*.', '&#47;', 'a.b', ':443', '"', '(', ' ', '-', 'a'],
  },
  {
    name: 'replay/answer-headers.ts#replayedHeaders',
    run: (text) =>
      ['set-cookie', 'content-security-policy', 'x'].map((name) =>
        replayedHeaders([[name, text]], { served: (value) => value, servedPolicy: (value) => value }),
      ),
    tokens: ['; ', 'Domain=', 'Secure', ';', ' ', 'upgrade-insecure-requests', 'a', '\u0001'],
  },
];
