import { describe, expect, it } from 'vitest';
import { scriptAddresses } from '../../../../src/core/links/scripts/script-addresses.ts';
import { inlineScriptLinks, scriptLiterals } from '../../../../src/core/links/scripts/script-literals.ts';

const read = (source: string): readonly string[] =>
  scriptAddresses(source).addresses.map(({ href, use, acts }) => `${acts ? 'acts' : use} ${href}`);
const inline = (source: string): readonly string[] =>
  inlineScriptLinks([source], { base: 'https://example.org/app/page', isBaseSaid: false }).map(
    ({ href, kind, confidence = 'high', context }) => `${confidence} ${kind} ${context} ${href}`,
  );

describe('texts that a script puts together', () => {
  it.each<[string, string, string]>([
    ['a constant and a text', "const API='/v9'; fetch(API + '/users')", '/v9/users'],
    ['texts alone', "go('/shop' + '/red-' + 'shoes')", '/shop/red-shoes'],
    ['a template', 'const API="/v9"; fetch(`${API}/users?page=1`)', '/v9/users?page=1'],
    ['a template in a template', 'const a="/a1"; go(`${`${a}/b1`}/c1`)', '/a1/b1/c1'],
    ['concat', "var A='/v9', u=''.concat(A, '/users')", '/v9/users'],
    ['a record', "const c={api:{base:'/v9'}}; fetch(c.api.base + '/users')", '/v9/users'],
    ['a frozen record', "const c=Object.freeze({api:'/v9'}); fetch(c.api + '/users')", '/v9/users'],
    ['a constant of constants', "const a='/a1', b=a+'/b1'; go(b + '/c1')", '/a1/b1/c1'],
    ['a constant below its use', "function f(){return go(B + '/x1')} const B='/b1';", '/b1/x1'],
    ['a variable that is set once', "let b; b = '/b1'; go(b + '/x1')", '/b1/x1'],
    ['a global', "window.API='/v9'; fetch(API + '/users')", '/v9/users'],
    ['a default', "const A = window.API || '/v9'; fetch(A + '/users')", '/v9/users'],
    ['the origin', "const A='/v9'; fetch(location.origin + A + '/users')", '/v9/users'],
    ['a number', "const n=3; go('/page/' + n)", '/page/3'],
    ['a text that is added to', "let u='/a1'; u += '/b1'; go(u)", '/a1/b1'],
    ['the constant of a block', "if(x){const b='/b1'; go(b + '/x1')}", '/b1/x1'],
    ['lines without semicolons', "const b='/b1'\nconst f = x => x + '/y1'\nconst c='/c1'\ngo(c + '/z1')", '/c1/z1'],
    ['a name alone', "const next='/b1/x1'; location.href = next", '/b1/x1'],
  ])('of %s are addresses', (_what, source, expected) => {
    expect(read(source).map((line) => line.replace(/^\w+ /, ''))).toContain(expected);
  });

  it.each<[string, string]>([
    ['what is not known', "fetch(API + '/users')"],
    ['a hole', 'const A="/v9"; fetch(`${A}/users/${id}`)'],
    ['a call', "const A='/v9'; fetch(A + '/users/' + encodeURIComponent(id))"],
    ['what is set twice', "let A='/v9'; A='/v8'; fetch(A + '/users')"],
    ['what is counted', "let n=0; ++n; go('/page/' + n)"],
    ['what is counted behind', "let n=0; n++; go('/page/' + n)"],
    ['what is added to twice', "let u='/v9'; u += '/b1'; u += '/users'; go(u)"],
    ['a parameter of that name', "const A='/v9'; function f(A){fetch(A + '/users')}"],
    ['a parameter of an arrow', "const A='/v9'; list.map(A => fetch(A + '/users'))"],
    ['parameters of an arrow', "const A='/v9'; list.map((A, i) => fetch(A + '/users'))"],
    ['parts of a parameter', "const A='/v9'; list.map(({A}) => fetch(A + '/users'))"],
    ["a parameter's default", "const A='/v9'; function f(A='/v8'){fetch(A + '/users')}"],
    ['a variable of a loop', "const A='/v9'; for(const A of all){fetch(A + '/users')}"],
    ['a part that is taken out', "const A='/v9'; {const {A}=x; fetch(A + '/users')}"],
    ['the name of an exception', "const A='/v9'; try{}catch(A){fetch(A + '/users')}"],
    ['a constant of another block', "{const A='/v9'} fetch(A + '/users')"],
    ['a local of another function', "f(function(){var A='/v9'}); fetch(A + '/users')"],
    ['arithmetic', "const A='/v9'; x = b - A + '/users'"],
    ['what is made', "const A='/v9'; x = new A + '/users'"],
    ['what is compared', "const A='/v9'; if (path === A + '/users') go()"],
    ['a choice', "const A = b ? '/v9' : '/v8'; fetch(A + '/users')"],
    ['a constant of itself', "const A = A + '/v9'; fetch(A + '/users')"],
    ['the record of another', "const c={api:'/v9'}; c=d; fetch(c.api + '/users')"],
  ])('are none where they are made of %s', (_what, source) => {
    expect(read(source).filter((line) => /users|page\/|b1/.test(line))).toEqual([]);
  });

  it('end where a script is made of constants of constants without end', () => {
    const source = `${Array.from({ length: 5000 }, (_, n) => `const a${n + 1}=a${n}+a${n};`).join('')}go(a5000+'/x1')`;
    expect(read(source)).toEqual([]);
  });
});

describe('what a script does with a text', () => {
  it.each<[string, readonly string[]]>([
    ["location='/a1'", ['goes /a1']],
    ["window.location.href='next'", ['goes next']],
    ["location.href='#/a1'", ['goes #/a1']],
    ["location.href='#part'", []],
    ["location.assign('/a1');top.location.replace('/b1')", ['goes /a1', 'goes /b1']],
    ["window.open('/a1','_blank')", ['goes /a1']],
    ["a.href='/a1/b1'", ['leads /a1/b1']],
    ["router.push('/a1')", ['leads /a1']],
    ["navigate({to:'/a1'})", ['leads /a1']],
    ["history.pushState(null,'','/a1')", ['leads /a1']],
    ["xhr.open('GET','/a1')", ['leads /a1']],
    ["xhr.open('POST','/a1')", ['acts /a1']],
    ["axios.post('/a1')", ['acts /a1']],
    ["new EventSource('/a1')", ['acts /a1']],
    ["new WebSocket('ws://' + location.host + '/a1')", ['acts /a1']],
    ["fetch('/a1',{method:'DELETE'})", ['acts /a1']],
    ["fetch('/a1',{headers:{x:'y'},method:'post'})", ['acts /a1']],
    ["fetch('/a1');fetch('/b1',{method:'POST'})", ['leads /a1', 'acts /b1']],
    ["$.ajax({url:'/a1',type:'POST'})", ['acts /a1']],
    ["location='/logout'", ['acts /logout']],
    ["ajaxurl='/wp-admin/admin-ajax.php'", ['acts /wp-admin/admin-ajax.php']],
    ["const location='/a1'", ['leads /a1']],
    ["this.location='Berlin'", []],
    ["let location='Berlin'", []],
    ["record.location='Berlin'", []],
    ["location.hash='part'", []],
    ["list.push('text/html')", []],
    ["new URL(to,'http://localhost')", []],
    ["x='http://localhost/a1'", ['stands http://localhost/a1']],
    ["accepts('text/vnd.turbo-stream.html')", []],
    ["x='/a1'", ['stands /a1']],
    ['// see /guide/start\n/* /old.html ../src/x ./mod/y */ 1/2/3', ['written /guide/start', 'written /old.html']],
    ['/* @param {string} a/b and/or 24/7 /x */', []],
  ])('%s', (source, expected) => {
    expect(read(source)).toEqual(expected);
  });

  it('comes before what is only there, and is kept where not all can be', () => {
    const many = Array.from({ length: 2000 }, (_, index) => `"/page/n${index}"`).join(',');
    const found = scriptLiterals(`[${many}];location='/first/page';fetch('/second/page')`, 'https://example.org/');
    expect(found.slice(0, 2).map(({ href }) => href)).toEqual(['/first/page', '/second/page']);
    expect(found).toHaveLength(500);
  });
});

describe('scripts that stand in a document', () => {
  it('send the browser with high confidence, and are guesses in all else', () => {
    expect(inline("location.href='/a1';x='/b1';fetch('/c1');location='/logout';/* /d1/e1 */")).toEqual([
      'high script location /a1',
      'low resource literal /logout',
      'low script literal /c1',
      'low script literal /b1',
      'low script script comment /d1/e1',
    ]);
  });

  it('have at most 500 links together', () => {
    const sources = Array.from({ length: 30 }, (_, script) =>
      Array.from({ length: 100 }, (_each, index) => `"/page/n${script}-${index}"`).join(),
    );
    expect(inlineScriptLinks(sources, { base: 'https://example.org/', isBaseSaid: false })).toHaveLength(500);
  });

  it('are not read beyond a million characters', () => {
    const sources = [`"/a1/b1"${' '.repeat(999_000)}`, `"/a2/b2"${' '.repeat(5000)}`, '"/a3/b3"'];
    const hrefs = inlineScriptLinks(sources, { base: 'https://example.org/', isBaseSaid: false }).map(
      ({ href }) => href,
    );
    expect(hrefs).toEqual(['/a1/b1', '/a3/b3']);
  });
});

describe('routes of an application', () => {
  const page = 'https://example.org/app/users/5';
  const script = 'https://example.org/app/js/main.js';
  const hrefs = (source: string, base: string, place = {}): readonly string[] =>
    scriptLiterals(source, base, place).map(({ href }) => href);

  it.each<[string, string, Record<string, unknown>, readonly string[]]>([
    ['lead to the base that the document names', '["/users"]', { isBaseSaid: true }, ['/app/users/users']],
    ['that name the base already stay', '["/app/users/x1"]', { isBaseSaid: true }, ['/app/users/x1']],
    ["lead to the router's base", "createWebHistory('/shop/');['/cart']", {}, ['/shop/cart']],
    ['lead to the base of a router that was made small', "x={history:Q('/shop')};['/cart']", {}, ['/shop/cart']],
    ['lead to a basename', "createBrowserRouter(r,{basename:'/shop'});['/cart']", { script }, ['/shop/cart']],
    ['lead to a basepath', "createRouter({basepath:'/shop/'});['/cart']", { script }, ['/shop/cart']],
    [
      'lead to the base of an old router',
      "new VueRouter({mode:'history',base:'/shop/'});['/cart']",
      {},
      ['/shop/cart'],
    ],
    ['lead to the root where a router says so', "createWebHistory('/');['/cart']", { script }, ['/cart']],
    ["lead to the script's folder before the origin", '["/cart"]', { script }, ['/app/cart', '/cart']],
    ['of a script that names its folder are whole', '["/cart","/app/x1"]', { script }, ['/cart', '/app/x1']],
    [
      'lead below a folder that the script names alone, as a base',
      "paint({base:'/app/'});['/cart']",
      { script },
      ['/app/', '/app/cart', '/cart'],
    ],
    [
      'lead below the folder alone where the page links to one of them there',
      '["/cart","/about"]',
      { script, linked: ['/', '/app/cart/'] },
      ['/app/cart', '/app/about'],
    ],
    [
      'lead below the folder alone where the script names the folder as well',
      'page.base("/app");["/cart"]',
      { script, linked: ['/app/', '/app/cart'] },
      ['/app', '/app/cart'],
    ],
    [
      'may lead to either where the page links to them at the origin as well',
      '["/cart","/about"]',
      { script, linked: ['/app/cart', '/about'] },
      ['/app/cart', '/cart', '/app/about', '/about'],
    ],
    [
      'may lead to either where the page links to the folder alone',
      '["/","/cart"]',
      { script, linked: ['/app/', '/app/other'] },
      ['/app/cart', '/cart'],
    ],
    [
      'are not the folders that hold the script, and not the page',
      'n.p="/app/static/";e={f:"/app/static/js/",g:"/app/",h:"/app/other/"}',
      { script: 'https://example.org/app/static/js/main.js' },
      ['/app/', '/app/other/'],
    ],
    [
      'are such a folder where the script sends the browser there',
      'location.href="/app/static/"',
      { script: 'https://example.org/app/static/js/main.js' },
      ['/app/static/'],
    ],
    [
      'of a script from elsewhere lead to the origin',
      '["/cart"]',
      { script: 'https://cdn.example/app/a.js' },
      ['/cart'],
    ],
    ['that are fetched lead to the origin', "fetch('/cart')", { script }, ['/cart']],
    ['that the browser is sent to lead to the origin', "location='/cart'", { isBaseSaid: true }, ['/cart']],
    [
      'are no bases if they end with a query, which is seen at once', // a pattern that tries each split never ends
      "go('/guide/how-to-choose-a-bicycle-for-a-long-tour?page=2')",
      {},
      ['/guide/how-to-choose-a-bicycle-for-a-long-tour?page=2'],
    ],
    ['are no bases by any other name', "paint({base:'/shop/'});['/cart']", {}, ['/shop/', '/cart']],
  ])('%s', (_what, source, place, expected) => {
    expect(hrefs(source, page, place)).toEqual(expected);
  });

  it('stand behind the fragment where the page keeps them there', () => {
    expect(hrefs('["/cart"]', 'https://example.org/app/#/home', { isBaseSaid: true, script })).toEqual(['#/cart']);
  });
});

describe('links of markup that a script holds', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a compiled template',
      'var a=t(\'<nav><a href="/about">About</a> <a class="x" href="/team/">Team</a></nav>\')',
      ['/about', '/team/'],
    ],
    [
      'attributes without quotes',
      't(`<nav><a href=/about class=x>About</a><a href=/team/>Team</a>`)',
      ['/about', '/team/'],
    ],
    ['escaped quotes', String.raw`box.innerHTML="<a href=\"/about?a=1&amp;b=2\">About<\/a>"`, ['/about?a=1&b=2']],
    [
      'a template with holes',
      'html`<b>${n}</b><a href="/about">${label}</a><a href=${to}>x</a><a href="/team/">x</a>`',
      ['/about', '/team/'],
    ],
    ['a text that is put together', "box.innerHTML = '<a href=\"/about\">' + label + '</a>'", ['/about']],
    ['a constant', "const A='/docs'; box.innerHTML = '<a href=\"' + A + '/intro\">x</a>'", ['/docs/intro']],
  ])('is found in %s', (_what, source, expected) => {
    expect(read(source)).toEqual(expect.arrayContaining(expected.map((href) => `stands ${href}`)));
  });

  it.each<[string, string]>([
    ['has a hole', 'html`<a href="/users/${id}">x</a><a href=/users/${id}>x</a>`'],
    ['goes on elsewhere', "s = '<a href=\"/users/' + id + '\">x</a>'; t = '<a href=/users/' + id + '>x</a>'"],
    ['a template fills in', 's = \'<a href="/users/{{id}}">x</a><a href="/tag/$1">x</a>\''],
    ['is searched for', 's.indexOf(\'<a href="/users/one">\')'],
    ['is no link', 's = \'<link href="/users/one"><img src="/users/two">\''],
    ['is in a tag that is not closed', 's = \'<a href="/users/one"\''],
  ])('is none where it %s', (_what, source) => {
    expect(read(source)).toEqual([]);
  });

  it('is none in an inline script, whose markup is in the page', () => {
    expect(inline('s = \'<a href="/users/one">x</a>\'')).toEqual([]);
  });

  it('is not tried where it changes something', () => {
    expect(read('s = \'<a href="/items/delete/3">x</a><a data-method="post" href="/items/3">x</a>\'')).toEqual([
      'acts /items/delete/3',
      'acts /items/3',
    ]);
  });

  it('is relative to the document, and no route of a router', () => {
    const page = 'https://example.org/app/page';
    const place = { isBaseSaid: true, script: 'https://example.org/app/js/main.js' };
    expect(scriptLiterals('s = \'<a href="/cart">x</a>\'', page, place).map(({ href }) => href)).toEqual(['/cart']);
  });
});

describe('a route within another', () => {
  const account = (children: string): string =>
    `[{path:"/about"},{path:"/account",component:a,children:[${children}]}]`;
  const paths = (source: string): readonly string[] => scriptAddresses(source).addresses.map(({ href }) => href);

  it.each<[string, string, readonly string[]]>([
    [
      'its own root',
      account('{path:"/"},{path:"/profile",x:{y:[1]}},{path:"/devices",children:[{path:"/phones"}]}'),
      ['/about', '/account', '/account/profile', '/account/devices', '/account/devices/phones'],
    ],
    ['a parameter', account('{path:"/:id"},{path:"/profile"}'), ['/about', '/account', '/account/profile']],
    [
      'a link to the whole path',
      `${account('{path:"/profile"},{path:"/devices"}')};t("a",{href:"/account/profile"})`,
      ['/about', '/account', '/account/profile', '/account/devices'],
    ],
  ])('continues its path where %s shows that the router joins them', (_what, source, expected) => {
    expect([...paths(source)].sort()).toEqual([...expected].sort());
  });

  it.each<[string, string, readonly string[]]>([
    ['nothing shows it', account('{path:"/profile"}'), ['/about', '/account', '/profile']],
    [
      'another is written whole',
      account('{path:"/"},{path:"/account/devices"},{path:"/profile"}'),
      ['/about', '/account', '/account/devices', '/profile'],
    ],
    ['the other is the root', '[{path:"/",children:[{path:"/"},{path:"/profile"}]}]', ['/profile']],
    [
      'the list is no list of children',
      '[{path:"/account",items:[{path:"/"},{path:"/profile"}]}]',
      ['/account', '/profile'],
    ],
  ])('is taken from the root where %s', (_what, source, expected) => {
    expect([...paths(source)].sort()).toEqual([...expected].sort());
  });

  it.each<[string, string, readonly string[]]>([
    ['records', account('{path:"profile"},{path:""},{path:"new/order"}'), ['/account/profile', '/account/new/order']],
    [
      'records at the root',
      '[{path:"/",element:a,children:[{index:!0},{path:"shop",children:[{path:"cart"},{path:"*"}]}]}]',
      ['/shop', '/shop/cart'],
    ],
    [
      'elements',
      'j(Q,{path:"/",element:j(L,{}),children:[j(Q,{index:!0}),j(Q,{path:"teams",element:y,children:j(Q,{path:"new"})})]})',
      ['/teams', '/teams/new'],
    ],
    [
      'records with a parameter',
      '[{path:"/",children:[{path:"a/:id",children:[{path:"edit"}]},{path:"baz"}]}]',
      ['/baz'],
    ],
    ['records whose root is unknown', '[{path:"team",children:[{path:"new"}]},{path:"about"}]', []],
    [
      'records in a list with the route for the rest',
      '[{path:"",component:H},{path:"login",component:L},{path:"orders",children:[{path:"",component:O},{path:"new"},{path:":id"}]},{path:"**"}]',
      ['/login', '/orders', '/orders/new'],
    ],
    [
      'records within one without a name',
      '[{path:"",component:S,children:[{path:"board"},{path:"more"}]},{path:"**",redirectTo:""}]',
      ['/board', '/more'],
    ],
    ['records beside the root', '[{path:"/",element:a},{path:"login",element:b},{path:"x/:id"}]', ['/login']],
    [
      'files of a list',
      '[{path:"guide/start.html",title:"a"},{path:"guide/end.html"}]',
      ['guide/start.html', 'guide/end.html'],
    ],
    ['records in a list that shows nothing', '[{path:"",component:H},{path:"login",component:L}]', []],
    ['records beside a child from the root', '[{path:"a",children:[{path:"/b1"},{path:"c1"}]},{path:"d1"}]', ['/b1']],
    ['records of something else', '[{path:"/team",items:[{path:"new"}]}]', []],
  ])('continues the path of the other where it has no slash: %s', (_what, source, expected) => {
    expect(paths(source).filter((path) => !['/about', '/account', '/team'].includes(path))).toEqual(expected);
  });

  describe('in a list that does not say where it begins', () => {
    const account = '[{path:"",redirectTo:"orders"},{path:"orders",component:a},{path:"bills",component:b}]';
    const shop =
      '[{path:"",component:a},{path:"sale",component:b},{path:"brands",children:[{path:"new"},{path:":id",component:c}]}]';
    const users = '[{path:"",component:a},{path:"new",component:b},{path:":id",component:c}]';

    it.each<[string, string, string, readonly string[]]>([
      ['the page is one of the list', '/account/orders', account, ['/account/orders', '/account/bills']],
      ['the page is that of the list', '/account', account, ['/account/orders', '/account/bills']],
      ['the page ends with a slash', '/account/', account, ['/account/orders', '/account/bills']],
      ['the page has a parameter', '/shop/brands/7', shop, ['/shop/sale', '/shop/brands', '/shop/brands/new']],
      ['the names of two are alike', '/brands/sale', shop, ['/brands/sale', '/brands/brands', '/brands/brands/new']],
      ['the page lies behind #', '/#/account', account, ['#/account/orders', '#/account/bills']],
      ['a page of a thing shows no list', '/users/7', users, []],
      ['the page is none of the list', '/account', '[{path:"orders",component:a}]', []],
      ['the list may have been loaded ahead', '/', account, []],
      ['the records show no pages', '/account', '[{path:"",title:"a"},{path:"orders",title:"b"}]', []],
    ])('begins where the page shows it, if it comes later: %s', (_what, page, source, expected) => {
      const pageUrl = `https://example.org${page}`;
      const links = scriptLiterals(source, pageUrl, { pageUrl, isLater: true });
      expect(links.map(({ href }) => href)).toEqual(expected);
    });

    it.each<[string, string, string, readonly string[]]>([
      ['the page is that at the root', '/', shop, ['/sale', '/brands', '/brands/new']],
      ['the page is one of the list', '/brands/7', shop, ['/sale', '/brands', '/brands/new']],
      ['the page is another one', '/about', shop, []],
      ['there are other lists', '/', `${shop};${account}`, []],
      [
        'there is a list at the root',
        '/',
        `[{path:"/home"}];[{path:"mine",component:y},{path:"/"}];${account}`,
        ['/home', '/mine'],
      ],
    ])('begins where the page shows it, if it comes with the document: %s', (_what, page, source, expected) => {
      const pageUrl = `https://example.org${page}`;
      expect(scriptLiterals(source, pageUrl, { pageUrl }).map(({ href }) => href)).toEqual(expected);
    });

    it('begins below the base of the application', () => {
      const place = { isBaseSaid: true, pageUrl: 'https://example.org/app/account', isLater: true };
      const links = scriptLiterals(account, 'https://example.org/app/', place);
      expect(links.map(({ href }) => href)).toEqual(['/app/account/orders', '/app/account/bills']);
    });
  });

  describe('in a map of Ember', () => {
    const map = (routes: string): string => `n.map(function(){${routes}})`;

    it.each<[string, string, readonly string[]]>([
      ['its name', map('this.route("about"),this.route("login")'), ['/about', '/login']],
      ['another path', map('this.route("contact",{path:"/reach-us"})'), ['/reach-us']],
      ['a path without a slash', map('this.route("contact",{path:"reach-us"})'), ['/reach-us']],
      [
        'a name within another',
        map('this.route("orders",function(){this.route("new"),this.route("old",{path:"/past"})}),this.route("about")'),
        ['/orders', '/orders/new', '/orders/past', '/about'],
      ],
      [
        'a name within another path',
        map('this.route("admin",{path:"/staff"},(function(){this.route("users")}))'),
        ['/staff', '/staff/users'],
      ],
      ['a name within the root', map('this.route("app",{path:"/"},function(){this.route("mail")})'), ['/mail']],
      [
        'no parameter',
        map('this.route("user",{path:"/users/:id"},function(){this.route("edit")}),this.route("lost",{path:"/*path"})'),
        [],
      ],
    ])('is %s', (_what, source, expected) => {
      expect(paths(source)).toEqual(expected);
    });

    it('is none outside of a map', () => {
      expect(paths('this.route("about",{path:"/x1/y1"});list.map(function(){other.route("login")})')).toEqual([
        '/x1/y1',
      ]);
    });
  });

  it('is none where a part of its path is a parameter', () => {
    expect(paths('[{path:"/users",children:[{path:"/:id",children:[{path:"/posts"}]}]}]')).toEqual(['/users']);
  });

  it('is kept beside the same path that is a route of its own', () => {
    expect(paths(`${account('{path:"/"},{path:"/about"}')}`)).toEqual(['/about', '/account', '/account/about']);
  });
});
