/** Code that hides secrets and control characters, and code that reads heads of answers and origins: measured like other parsers. */
import { markWords, readSignedInMark } from '../../../src/core/sign-in/signed-in-mark.ts';
import { sessionEvidence, siteOf, targetShape } from '../../../src/core/sign-in/session-evidence.ts';
import { SignOutMemory } from '../../../src/core/sign-in/sign-out-memory.ts';
import { actingRule } from '../../../src/core/sign-in/acting-link.ts';
import { queryPairs } from '../../../src/core/sign-in/query-pairs.ts';
import { signOutRule } from '../../../src/core/sign-in/sign-out-link.ts';
import { isSecretName, redactedText, redactor } from '../../../src/base/redaction.ts';
import { withoutCommands } from '../../../src/base/runner-commands.ts';
import { escapedControls, safeJson } from '../../../src/base/safe-json.ts';
import { fieldText, whyUnfit } from '../../../src/egress/proxy/answer-head.ts';
import { isCrawlId } from '../../../src/model/crawl-id.ts';
import { httpAuthFault, httpAuthHeaders, httpAuthPlace, httpAuthSecrets } from '../../../src/model/http-auth.ts';
import { headersFor, NO_USER_HEADERS, webOrigin } from '../../../src/model/user-headers.ts';
import { builtinFindings, pageSource } from '../../../src/pipeline/file-reading.ts';
import { TIMING } from '../page.ts';
import { MARKUP_TOKENS } from './link-parsers.ts';
import type { ParserCase } from './parser-case.ts';
import { URL_TOKENS } from './text-parsers.ts';

const SECRET_TOKENS: readonly string[] = [
  ...URL_TOKENS,
  '&token=',
  '?a',
  '%26',
  '%3d',
  'secret',
  'Bearer-value-of-the-user',
  'a://',
  'https://u:p@',
  '@',
  '\u001b[',
];
const hide = redactor(['Bearer-value-of-the-user', 'session=0123456789abcdef; other=fedcba9876543210']);

export const REDACTION_PARSERS: readonly ParserCase[] = [
  {
    name: 'base/redaction.ts#redactedText',
    run: (text) => redactedText(text),
    tokens: SECRET_TOKENS,
    dear: { times: 6, bound: 'a line of the log has 8 KiB, a line on the terminal less' },
  },
  {
    name: 'base/redaction.ts#isSecretName',
    run: isSecretName,
    tokens: ['token', 'secret', '-', '%5b', 'a', 'access'],
  },
  {
    name: 'base/redaction.ts#redactor',
    run: (text) => hide(text),
    tokens: SECRET_TOKENS,
    dear: { times: 6, bound: 'a line of the log has 8 KiB, a line on the terminal less' },
  },
  {
    name: 'base/runner-commands.ts#withoutCommands',
    run: withoutCommands,
    tokens: ['#', '##[', 'vso[', '::', 'a', ' '],
    texts: { 'a name that goes on': (length) => `::${'a'.repeat(length)}` },
  },
  {
    name: 'base/safe-json.ts#safeJson',
    also: ['base/safe-json.ts#escapedControls'],
    run: (text) => [safeJson({ text }), escapedControls(text)],
    dear: { times: 3, bound: 'a line of the log has 8 KiB, a record at most a page of text' },
    tokens: ['\u007f', '\u009b', '\u2028', '\u202e', '\u{e0001}', 'a', '"', '\\', '##['],
  },
  {
    name: 'egress/proxy/answer-head.ts#fieldText',
    run: (text) => fieldText(text),
    tokens: ['\u0000', '\u0007', '\r', 'a', '\u00ff', '\u2028'],
  },
  {
    name: 'egress/proxy/answer-head.ts#whyUnfit',
    run: (text) => whyUnfit({ statusCode: 200, rawHeaders: ['a', text] }),
    tokens: ['a', ':'],
    lists: {
      'many fields': (count) => {
        const rawHeaders = Array.from({ length: count * 2 }, (_, index) => `a${index}`);
        return () => whyUnfit({ statusCode: 200, rawHeaders });
      },
    },
  },
  { name: 'model/crawl-id.ts#isCrawlId', run: (text) => isCrawlId(text), tokens: ['a', '-', '0', '/'] },
  {
    name: 'model/user-headers.ts#webOrigin',
    also: ['model/user-headers.ts#headersFor', 'model/user-headers.ts#meantFor'],
    run: (text) => [webOrigin(`http://${text}`), webOrigin(text), headersFor(text, NO_USER_HEADERS)],
    tokens: URL_TOKENS,
  },
  {
    name: 'model/http-auth.ts#httpAuthFault',
    also: [
      'model/http-auth.ts#httpAuthPlace',
      'model/http-auth.ts#httpAuthSecrets',
      'model/http-auth.ts#httpAuthHeaders',
    ],
    run: (text) => [
      httpAuthFault(text),
      httpAuthPlace(text),
      httpAuthSecrets([text]),
      httpAuthHeaders([`a:${text}@a.test`, text], ['https://a.test/']),
    ],
    tokens: [...URL_TOKENS, ':', '@'],
  },
  {
    name: 'core/sign-in/query-pairs.ts#queryPairs',
    run: (text) => [...queryPairs(text)],
    tokens: [...URL_TOKENS, ';'],
  },
  {
    name: 'core/sign-in/acting-link.ts#actingRule',
    run: (text) => [actingRule(`https://a.test/${text}`), actingRule(`https://a.test/?action=${text}&${text}=1`)],
    tokens: [...URL_TOKENS, 'delete', 'remove', 'like', 'vote', '_', '-', '7', 'csrf', 'item'],
  },
  {
    name: 'core/sign-in/sign-out-link.ts#signOutRule',
    run: (text) => [
      signOutRule({ url: `https://a.test/${text}`, text }),
      signOutRule({ url: `https://a.test/?a=${text}#/${text}`, text: '' }),
    ],
    tokens: [...URL_TOKENS, 'log', 'out', 'sign', 'off', '-', '_', 'session', 'user', ' ', '('],
  },
  {
    name: 'core/sign-in/session-evidence.ts#sessionEvidence',
    also: [
      'core/sign-in/session-evidence.ts#targetShape',
      'core/sign-in/session-evidence.ts#siteOf',
      'core/sign-in/sign-out-memory.ts#SignOutMemory',
    ],
    run: (text) => {
      const location = `/${text}`;
      const answer = { status: 302, headers: [], contentType: '', timing: TIMING };
      const outcome = { kind: 'redirected', answer, location } as const;
      const memory = new SignOutMemory();
      memory.wasIn(`https://a.test${location}`);
      memory.isOut();
      return [
        memory.isSuspect(`https://a.test${location}`),
        sessionEvidence('https://a.test/', outcome, { isMarked: null, isKnownTarget: () => true }),
        targetShape(location, 'https://a.test/'),
        siteOf(`https://${text}`),
      ];
    },
    tokens: [...URL_TOKENS, 'log', 'in', 'sign', 'auth', '-', '_', 'sso'],
  },
  {
    name: 'core/sign-in/signed-in-mark.ts#readSignedInMark',
    also: ['core/sign-in/signed-in-mark.ts#markWords'],
    run: (text) => {
      const mark = readSignedInMark(text);
      return mark.kind === 'refused' ? mark.why : markWords(mark);
    },
    tokens: ['selector:', 'url:', 'cookie:', '!', ' ', '/', 'a', '#'],
  },
  {
    name: 'pipeline/file-reading.ts#builtinFindings',
    also: ['pipeline/file-reading.ts#pageSource'],
    run: (text) => builtinFindings(pageSource({ url: 'https://a.test/', contentType: 'text/html', text })),
    tokens: MARKUP_TOKENS,
    dear: { times: 6, bound: 'longer texts than 64 KiB are read in a thread with a deadline' },
  },
];
