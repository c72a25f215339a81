import { describe, expect, it } from 'vitest';
import { routeParts } from '../../../../src/core/links/scripts/route-parts.ts';
import { scriptLiterals } from '../../../../src/core/links/scripts/script-literals.ts';
import { KnownParts } from '../../../../src/core/page-clusters/known-parts.ts';

const HOST = 'https://example.org/';
const targets = (source: string): readonly string[] =>
  routeParts(source).map(({ path, target }) => `${path} ${target}`);

describe('routeParts', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'scripts',
      '[{path:"account",loadChildren:()=>import("./chunk-A.js").then(t=>t.routes)}]',
      ['/account ./chunk-A.js'],
    ],
    ['modules', '[{path:"account",loadChildren:()=>e.e(25).then(e.bind(e,576)).then(t=>t.routes)}]', ['/account 576']],
    [
      'modules in several chunks',
      '[{path:"account",loadChildren:()=>Promise.all([e.e(1),e.e(25)]).then(e.bind(e,576))}]',
      ['/account 576'],
    ],
    ['an asynchronous function', '[{path:"account",loadChildren:async()=>import("./a.js")}]', ['/account ./a.js']],
    ['a function', '[{path:"account",loadChildren:function(){return import("./a.js")}}]', ['/account ./a.js']],
    ['the path behind it', '[{loadChildren:()=>import("./a.js"),path:"account"}]', ['/account ./a.js']],
    [
      'a route within another',
      '[{path:"help",children:[{path:"topics",loadChildren:()=>import("./a.js")}]}]',
      ['/help/topics ./a.js'],
    ],
    ['a route without a name', '[{path:"",loadChildren:()=>import("./a.js")}]', ['/ ./a.js']],
    ['no path', '[{loadChildren:()=>import("./a.js")}]', []],
    ['a name of its own', '[{path:"a",loadChildren:()=>x},{path:"b",loadComponent:()=>import("./b.js")}]', []],
  ])('finds the part that a route loads: %s', (_what, source, expected) => {
    expect(targets(source)).toEqual(expected);
  });
});

describe('KnownParts', () => {
  const known = (scripts: Readonly<Record<string, string>>, later: readonly string[] = []): KnownParts => {
    const parts = new KnownParts();
    for (const [name, source] of Object.entries(scripts))
      parts.learn(HOST + name, routeParts(source), later.includes(name));
    return parts;
  };
  const MAIN = '[{path:"home",component:h},{path:"account",loadChildren:()=>import("./a.js")},{path:"**",component:n}]';

  it('tells where the list of a script begins', () => {
    const parts = known({ 'js/main.js': MAIN });
    expect(parts.beginsIn(`${HOST}js/a.js`)).toEqual([['', '/account']]);
    expect(parts.beginsIn(`${HOST}a.js`)).toEqual([]);
  });

  it('tells where the list of a module begins', () => {
    const parts = known({
      'js/main.js': '[{path:"account",loadChildren:()=>e.e(25).then(e.bind(e,576))},{path:"**"}]',
    });
    expect(parts.beginsIn(`${HOST}js/25.js`)).toEqual([['576', '/account']]);
    expect(parts.beginsIn(`${HOST}other/25.js`)).toEqual([]);
  });

  it('joins parts within parts, whichever is read first', () => {
    const part = '[{path:"",component:x},{path:"bills",loadChildren:()=>import("./b.js")},{path:"**",component:n}]';
    for (const scripts of [
      { 'a.js': part, 'main.js': MAIN },
      { 'main.js': MAIN, 'a.js': part },
    ])
      expect(known(scripts, ['a.js']).beginsIn(`${HOST}b.js`)).toEqual([['', '/account/bills']]);
  });

  it('takes the only list of a script of the document for that at the root', () => {
    const scripts = { 'main.js': '[{path:"tabs",loadChildren:()=>import("./a.js")}]' };
    expect(known(scripts).beginsIn(`${HOST}a.js`)).toEqual([['', '/tabs']]);
    expect(known(scripts, ['main.js']).beginsIn(`${HOST}a.js`)).toEqual([]);
  });

  it('tells nothing of parts that load each other', () => {
    const scripts = {
      'a.js': '[{path:"a",loadChildren:()=>import("./b.js")}]',
      'b.js': '[{path:"b",loadChildren:()=>import("./a.js")}]',
    };
    expect(known(scripts, ['a.js', 'b.js']).beginsIn(`${HOST}a.js`)).toEqual([]);
  });
});

describe('the links of a part', () => {
  const links = (source: string, begins: readonly (readonly [string, string])[], page = ''): readonly string[] =>
    scriptLiterals(source, HOST + page, { pageUrl: HOST + page, isLater: true, begins }).map(({ href }) => href);
  const LIST = '[{path:"",redirectTo:"orders"},{path:"orders",component:a},{path:"bills",component:b}]';

  it('begin where another script says it', () => {
    expect(links(LIST, [['', '/account']])).toEqual(['/account/orders', '/account/bills']);
    expect(links(LIST, [['', '']])).toEqual(['/orders', '/bills']);
  });

  it('begin there, though the page looks like one of the list', () => {
    expect(links(LIST, [['', '/account']], 'shop/orders')).toEqual(['/account/orders', '/account/bills']);
  });

  it('begin there, though the list has a route for the rest', () => {
    expect(links('[{path:"orders",component:a},{path:"**",component:b}]', [['', '/account']])).toEqual([
      '/account/orders',
    ]);
  });

  it('begin where their module does', () => {
    const other = '[{path:"sale",component:c}]';
    const source = `(self.w=self.w||[]).push([[25],{576:(e,t,n)=>{const r=${LIST}},31:e=>{const r=${other}}}])`;
    expect(
      links(source, [
        ['31', '/shop'],
        ['576', '/account'],
      ]),
    ).toEqual(['/account/orders', '/account/bills', '/shop/sale']);
    expect(links(source, [['', '/account']])).toEqual([]);
  });
});
