/** Parsers of `core/links` that read scripts. */
import {
  isPublicPath,
  linkedPaths,
  routePaths,
  routesBegin,
  scriptFolder,
} from '../../../src/core/links/application-base.ts';
import { handlerLinks } from '../../../src/core/links/markup/handler-links.ts';
import { menuLinks } from '../../../src/core/links/markup/menu-links.ts';
import { scriptAddresses } from '../../../src/core/links/scripts/script-addresses.ts';
import { constantText, ScriptScope } from '../../../src/core/links/scripts/script-constants.ts';
import { mentionedNames } from '../../../src/core/links/scripts/mentioned-names.ts';
import { isMentionedBy } from '../../../src/core/page-clusters/name-mention.ts';
import { partIn } from '../../../src/core/links/scripts/part-names.ts';
import { KnownParts } from '../../../src/core/page-clusters/known-parts.ts';
import { routeParts } from '../../../src/core/links/scripts/route-parts.ts';
import { inlineScriptLinks, isInlineProgram, scriptLiterals } from '../../../src/core/links/scripts/script-literals.ts';
import { mayHoldMarkupLinks, scriptMarkupLinks } from '../../../src/core/links/scripts/script-markup.ts';
import { ScriptScanner } from '../../../src/core/links/scripts/script-scanner.ts';
import { scriptStrings } from '../../../src/core/links/scripts/script-strings.ts';
import { readScript } from '../../../src/core/links/scripts/script-texts.ts';
import { purposeOf } from '../../../src/core/links/texts/text-use.ts';
import { drained, repeated, type ParserCase } from './parser-case.ts';

const BASE = 'https://example.org/a/';
const BASE_FOLDER = '/a/';
const SCRIPT_TOKENS: readonly string[] = [
  '"',
  "'",
  '`',
  '${',
  '}',
  '/',
  '/*',
  '//',
  '\\',
  '(',
  'concat(',
  'a',
  '\n',
  ' ',
  '[',
  '"/a/b"',
];
const EXPRESSION_TOKENS: readonly string[] = [
  ...SCRIPT_TOKENS,
  'const a="/b";',
  'a+"/c"',
  '+',
  '=',
  '=>',
  '{',
  ')',
  ']',
  ',',
  ':',
  '.b',
  'fetch(',
  '.concat(',
  '||',
  'a.',
  "'<a href=/a/b>'",
];
const EXPRESSION_TEXTS: NonNullable<ParserCase['texts']> = {
  'constants of constants': (length) => {
    let text = 'const a0="/b";';
    for (let index = 1; text.length < length; index += 1) text += `const a${index}=a${index - 1}+a${index - 1};`;
    return text;
  },
  'blocks within blocks': (length) => repeated('{const a="/b";go(a+"/c");', length),
  'templates within templates': (length) => repeated('`${a+', length),
  'one long chain': (length) => `go(${repeated('a+"/b"+', length)}`,
  'many parameters': (length) => `(${repeated('a,', length)})=>{go(a+"/b")}`,
  'records within records': (length) => `const a=${repeated('{b:', length)}`,
  'an address that ends in what no path has': (length) => repeated(`go("/${'a-b/c.d'.repeat(20)}?e");`, length),
  'many options': (length) => repeated('fetch("/a/b",{headers:{c:{},', length),
};

export const SCRIPT_PARSERS: readonly ParserCase[] = [
  {
    name: 'core/links/markup/menu-links.ts#menuLinks',
    run: (text) => menuLinks(text, `/a${text}`),
    tokens: ['location', '=', 'open', '(', ' ', 'goto', 'a', '"', '+', '/'],
  },
  {
    name: 'core/links/markup/handler-links.ts#handlerLinks',
    run: (text) => handlerLinks(text, 'a/@onclick'),
    tokens: [...SCRIPT_TOKENS, 'location', "get('/a.html')", '.replace', "replace('/b.html')"],
  },
  {
    name: 'core/links/scripts/script-strings.ts#scriptStrings',
    run: (text) => drained(scriptStrings(text)),
    tokens: SCRIPT_TOKENS,
  },
  {
    name: 'core/links/scripts/script-scanner.ts#ScriptScanner',
    run: (text) => {
      const scanner = new ScriptScanner(text);
      while (scanner.next() !== 'end');
    },
    tokens: EXPRESSION_TOKENS,
  },
  {
    name: 'core/links/scripts/script-texts.ts#readScript',
    also: [
      'core/links/texts/found-texts.ts#FoundTexts',
      'core/links/scripts/open-expression.ts#OpenExpression',
      'core/links/texts/text-chain.ts#TextChain',
      'core/links/texts/text-frame.ts#frameOf',
      'core/links/texts/text-frame.ts#useAt',
      'core/links/texts/text-frame.ts#isOfPurpose',
      'core/links/texts/text-use.ts#isLeading',
      'core/links/texts/text-frame.ts#openWithin',
      'core/links/scripts/script-words.ts#meaningOf',
      'core/links/scripts/script-words.ts#takesParameters',
    ],
    run: (text) => readScript(text, { wants: () => true, text: () => {} }),
    tokens: EXPRESSION_TOKENS,
    texts: EXPRESSION_TEXTS,
  },
  {
    name: 'core/links/scripts/script-addresses.ts#scriptAddresses',
    run: scriptAddresses,
    tokens: EXPRESSION_TOKENS,
    texts: EXPRESSION_TEXTS,
  },
  {
    name: 'core/links/scripts/script-markup.ts#scriptMarkupLinks',
    also: ['core/links/scripts/script-markup.ts#mayHoldMarkupLinks'],
    run: (text) => [mayHoldMarkupLinks(text), scriptMarkupLinks(text)],
    tokens: ['<', '<a ', '<a', 'href=', '"', "'", '/a/b', '>', ' ', '</a>', '<!--', '<title>'],
  },
  {
    name: 'core/links/scripts/script-literals.ts#scriptLiterals',
    also: [
      'core/links/scripts/script-literals.ts#isInlineProgram',
      'core/links/scripts/route-lists.ts#beginOfList',
      'core/links/application-base.ts#openedPath',
    ],
    run: (text) => [
      scriptLiterals(text, BASE, { pageUrl: `${BASE}#/a/${text.slice(0, 2000)}`, isLater: true }),
      isInlineProgram(text, null),
    ],
    tokens: [...SCRIPT_TOKENS, '{path:"a",component:a,', '{path:"",', 'children:[', '},'],
  },
  {
    name: 'core/links/scripts/route-parts.ts#routeParts',
    also: [
      'core/page-clusters/known-parts.ts#KnownParts',
      'core/links/scripts/part-names.ts#partIn',
      'core/links/scripts/part-names.ts#moduleIn',
    ],
    run: (text) => {
      const parts = new KnownParts();
      parts.learn(BASE, routeParts(text), true);
      return [parts.beginsIn(BASE), partIn(text)];
    },
    tokens: [
      ...SCRIPT_TOKENS,
      '[{path:"a",loadChildren:()=>import("./a.js")},',
      '{path:"b",loadChildren:()=>',
      'import("./b.js")',
      '.then(e.bind(e,576))',
      '{576:',
      'children:[',
      '}',
    ],
  },
  {
    name: 'core/links/scripts/mentioned-names.ts#mentionedNames',
    also: ['core/page-clusters/name-mention.ts#isMentionedBy'],
    run: (text) => isMentionedBy(new Set(mentionedNames(text)), text),
    tokens: SCRIPT_TOKENS,
  },
  {
    name: 'core/links/scripts/script-literals.ts#inlineScriptLinks',
    run: (text) => inlineScriptLinks([text], { base: BASE, isBaseSaid: true }),
    tokens: SCRIPT_TOKENS,
    lists: {
      'many scripts': (count) => {
        const sources = Array.from({ length: count }, (_, index) => `go("/a/b${index}")`);
        return () => inlineScriptLinks(sources, { base: BASE, isBaseSaid: false });
      },
    },
  },
  {
    name: 'core/links/scripts/script-constants.ts#constantText',
    also: ['core/links/scripts/script-constants.ts#ScriptScope'],
    run: (text) => {
      const scope = new ScriptScope();
      Object.assign(scope.assigned(text), { writes: 1, pieces: [text] });
      return constantText([{ name: text, scope }]);
    },
    tokens: ['a', '.', 'window.', 'location.origin', ' '],
  },
  {
    name: 'core/links/texts/text-use.ts#purposeOf',
    run: (text) => {
      const use = { how: 'given', argument: 0, first: '', key: '', holder: '', word: '', before: '(' } as const;
      return [
        purposeOf({ ...use, target: text, after: '' }),
        purposeOf({ ...use, how: 'assigned', target: text, after: '' }),
        // the caller cuts the following text to 200 characters
        purposeOf({ ...use, target: 'fetch', after: text.slice(0, 200) }),
      ];
    },
    tokens: ['window.', 'location', '.', 'a', '{', '}', ',', 'method:', ' ', '"'],
  },
  {
    name: 'core/links/application-base.ts#routePaths',
    also: ['scriptFolder', 'routesBegin', 'linkedPaths', 'isPublicPath'].map(
      (name) => `core/links/application-base.ts#${name}`,
    ),
    run: (text) => {
      const place = { base: BASE + text, isBaseSaid: false, router: null, script: `${BASE}${text}/b.js` };
      return [
        routePaths(`/${text}`, place, 'either'),
        routePaths(`/${text}`, { ...place, router: text }, 'either'),
        scriptFolder(place),
        isPublicPath(`/${text}/`, place),
        routesBegin(BASE_FOLDER, text.split(' '), text.split('..')),
        linkedPaths([{ href: text, base: BASE, kind: 'anchor', resolved: null }], BASE),
      ];
    },
    tokens: ['/', 'a', '.', '..', '%', ' '],
  },
];
