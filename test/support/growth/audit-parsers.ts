/** Audit code that reads pages: texts for the verdict, language tags, addresses in messages. */
import { hash64 } from '../../../src/base/hash.ts';
import { hidingDirective, hidingWords } from '../../../src/core/audit-rules/hiding-directive.ts';
import { languageFault } from '../../../src/core/audit-rules/language-tag.ts';
import { isNamedAsFile } from '../../../src/core/audit-rules/named-file.ts';
import { missingTitle } from '../../../src/core/audit-rules/missing-title.ts';
import { hasChallengeHeader, lookWords, signOf } from '../../../src/core/external/look.ts';
import { secretParameter } from '../../../src/core/audit-rules/secret-parameter.ts';
import { hrefFault } from '../../../src/core/links/href-fault.ts';
import { tlsFaultOf } from '../../../src/core/audit-rules/tls-fault.ts';
import { stableText } from '../../../src/core/audit-rules/stable-text.ts';
import { FindingBook } from '../../../src/core/findings/finding-book.ts';
import { originOf, SiteAddresses } from '../../../src/core/findings/site-address.ts';
import { pageVerdict } from '../../../src/core/page-verdict/page-verdict.ts';
import type { ParserCase } from './parser-case.ts';

const addresses = new SiteAddresses(['https://example.org']);
const WORDS = [
  '404',
  ' ',
  'page',
  'not found',
  'sorry ',
  'the ',
  'error ',
  'log in',
  '-',
  '|',
  'accept all',
  'cookies ',
  'loading',
  '.',
  'enable ',
  'javascript',
  'oops',
  'closed ',
];

export const AUDIT_PARSERS: readonly ParserCase[] = [
  { name: 'base/hash.ts#hash64', run: hash64, tokens: ['a', 'é'] },
  { name: 'core/audit-rules/named-file.ts#isNamedAsFile', run: isNamedAsFile, tokens: ['/', '.', 'txt', 'html', '?'] },
  {
    name: 'core/audit-rules/hiding-directive.ts#hidingDirective',
    run: (text) => hidingDirective([text]),
    tokens: ['googlebot: ', 'noindex', 'none', ' '],
  },
  { name: 'core/audit-rules/hiding-directive.ts#hidingWords', run: hidingWords, tokens: ['googlebot: ', 'noindex'] },
  { name: 'core/audit-rules/language-tag.ts#languageFault', run: languageFault, tokens: ['a', 'en', '-', 'x-', '1'] },
  {
    name: 'core/external/look.ts#signOf',
    also: ['core/external/look.ts#lookWords'],
    run: (text) => {
      const look = { answer: { kind: 'failed' as const, failure: 'dns' as const, detail: text } };
      return [signOf(look), lookWords(look)];
    },
    tokens: ['the name ', 'a', '.', ' does not', ' exist', 'ENOT', 'FOUND', ' '],
  },
  {
    name: 'core/external/look.ts#hasChallengeHeader',
    run: (text) => hasChallengeHeader([['cf-mitigated', text]]),
    tokens: ['chal', 'lenge', 'C', ' '],
  },
  {
    name: 'core/links/href-fault.ts#hrefFault',
    run: (text) => [hrefFault(text, true), hrefFault(`mailto:${text}`, true), hrefFault(text, false)],
    tokens: ['htp', ':', '/', '@', ',', '%', '2c', 'a', ' ', '?'],
  },
  {
    name: 'core/audit-rules/tls-fault.ts#tlsFaultOf',
    run: tlsFaultOf,
    tokens: ['certificate has ', 'expired', 'self', '-', ' ', 'signed', 'alert ', 'ERR_CERT_', 'unable to get '],
  },
  {
    name: 'core/audit-rules/secret-parameter.ts#secretParameter',
    run: (text) => secretParameter(`https://example.org/${text}`),
    tokens: ['?', ';jsessionid=', 'jwt=', '&', 'a', '1', '-', '%', '@', '='],
  },
  {
    name: 'core/audit-rules/stable-text.ts#stableText',
    also: ['core/audit-rules/stable-text.ts#stableAddress'],
    run: stableText,
    tokens: ['https://', 'a', '1', 'f', '.', '-', '/', ' ', '?', 'g', '_'],
  },
  {
    name: 'core/findings/finding-book.ts#FindingBook',
    also: ['core/findings/site-address.ts#SiteAddresses'],
    run: (text) => {
      const book = new FindingBook(addresses);
      book.add(missingTitle, { url: 'https://example.org/', thing: text, message: text });
      return book.findings();
    },
    tokens: ['https://', 'example.org', '/', 'a', ' ', '"', '{', '}', '?', '#'],
  },
  { name: 'core/findings/site-address.ts#originOf', run: originOf, tokens: ['https://', 'a', '/', '?', '#'] },
  {
    name: 'core/page-verdict/page-verdict.ts#pageVerdict',
    run: (text) =>
      pageVerdict({
        url: `https://example.org/${text}`,
        outcome: 'captured',
        status: 200,
        isCut: false,
        timedOut: false,
        isEmpty: false,
        signedIn: false,
        isMarked: false,
        document: {
          title: text,
          headings: [text],
          text,
          words: 10,
          passwordFields: 0,
          setsPasswords: false,
          fields: 1,
          links: 0,
          hasScripts: true,
          emptyMounts: 0,
          canvases: 0,
          placeholders: 0,
          media: 0,
          programs: text,
          forwards: false,
        },
      }),
    tokens: WORDS,
  },
];
