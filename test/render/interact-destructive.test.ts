import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  site = await FixtureServer.open({});
  bench = await openBench({ workers: 1, explore: 'click' });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const page = (body: string, script = ''): string => `<!doctype html><title>t</title>${body}<script>${script}</script>`;

const since = (count: number): readonly string[] => site.asked.slice(count).filter((line) => !line.includes('favicon'));

test('requests that could change something do not leave the browser, and are recorded', async () => {
  const ways = {
    fetch: `fetch('/w/fetch',{method:'POST',body:'x'})`,
    put: `fetch('/w/put',{method:'PUT',body:'x'})`,
    patch: `fetch('/w/patch',{method:'PATCH'})`,
    json: `fetch('/w/json',{method:'POST',headers:{'content-type':'application/json'},body:'{"query":"mutation { drop }"}'})`,
    xhr: `{const x=new XMLHttpRequest();x.open('POST','/w/xhr');x.send('a')}`,
    beacon: `navigator.sendBeacon('/w/beacon','a')`,
    alive: `fetch('/w/alive',{method:'POST',body:'x',keepalive:true})`,
    frame: `{const f=document.createElement('form');f.method='post';f.action='/w/frame';f.target='inner';document.body.append(f);f.submit()}`,
    page: `{const f=document.createElement('form');f.method='post';f.action='/w/page';document.body.append(f);f.submit()}`,
  };
  const buttons = Object.entries(ways).map(
    ([name, way]) => `<button class=${name} onclick="${way.replaceAll('"', '&quot;')}">Show ${name}</button>`,
  );
  site.add({ '/writes': page(`<iframe name=inner></iframe>${buttons.join('')}`) });
  const before = site.asked.length;
  const captured = await bench.capture(site.url('/writes'));
  // the document itself may be loaded again, to return to a button's page
  expect(new Set(since(before))).toEqual(new Set(['GET /writes']));
  const held = captured.foundLinks
    .filter(({ context }) => context.endsWith('(held)'))
    .map(({ href, context }) => `${new URL(href).pathname} ${context}`);
  for (const line of [
    '/w/fetch fetch POST (held)',
    '/w/put fetch PUT (held)',
    '/w/patch fetch PATCH (held)',
    '/w/json fetch POST (held)',
    '/w/xhr fetch POST (held)',
    '/w/frame form POST (held)',
  ])
    expect(held).toContain(line);
  expect(held.filter((line) => line.startsWith('/w/beacon'))).toHaveLength(1);
});

test('what a page sends by itself while it loads is sent: the content may come by it', async () => {
  site.add({
    '/asks': page(
      '',
      `fetch('/graphql',{method:'POST',body:'{"query":"{ links }"}'}).then((a)=>a.json()).then((l)=>document.body.insertAdjacentHTML('beforeend','<a href='+l[0]+'>a</a>'))`,
    ),
    '/graphql': (_request, response) => response.end('["/answered"]'),
  });
  expect(paths(await bench.capture(site.url('/asks')))).toContain('/answered');
});

test('a query of a button leaves the browser though it is sent by POST', async () => {
  const ask = `fetch('/graphql2',{method:'POST',body:JSON.stringify({query:'query Q { links }'})}).then((a)=>a.json()).then((l)=>document.body.insertAdjacentHTML('beforeend','<a href='+l[0]+'>a</a>'))`;
  site.add({
    '/button-asks': page('<button id=b>Show</button>', `b.onclick=()=>${ask}`),
    '/graphql2': (_request, response) => response.end('["/asked-for"]'),
  });
  expect(paths(await bench.capture(site.url('/button-asks')))).toContain('/asked-for');
});

test('of what reads like a destructive action nothing is asked, be it by GET', async () => {
  const touched: string[] = [];
  const names = [
    'Log out',
    'Delete',
    'Buy now',
    'Place order',
    'Send',
    'Publish',
    'Save',
    'Konto löschen',
    'Supprimer',
    'Comprar',
    'Elimina',
    'Sair',
    'Verwijderen',
    'Usuń',
    'Удалить',
    '删除',
    '購入する',
  ];
  const buttons = names.map((name, index) => `<button onclick="fetch('/touched?${index}')">${name}</button>`);
  const marked = [
    `<button class=js-delete onclick="fetch('/touched?a')">x</button>`,
    `<i role=button aria-label="Remove" onclick="fetch('/touched?b')"></i>`,
    `<a href="/account/logout" role=button onclick="fetch('/touched?c')">Bye</a>`,
    `<form method=post action=/touched?d><button>Go on</button></form>`,
    `<input type=submit value=Submit onclick="fetch('/touched?e')">`,
    `<button title="Cancel subscription" onclick="fetch('/touched?f')">x</button>`,
    `<button onclick="fetch('/account/logout')">Door</button>`,
    `<img alt="Delete" role=button onclick="fetch('/touched?g')" src=data:,>`,
    `<button onclick="fetch('/touched?h')"><i class="fa fa-trash-alt"></i></button>`,
    `<button onclick="fetch('/touched?i')"><svg class=x><use href="#icon-delete"></use></svg></button>`,
    `<button onclick="fetch('/touched?j')"><svg class='MuiSvgIcon-root MuiSvgIcon-fontSizeMedium css-vubbuv' data-testid=DeleteIcon></svg> 3</button>`,
    `<button hx-delete=/items/3 onclick="fetch('/touched?k')">×</button>`,
    `<button @click.prevent="remove(3)" onclick="fetch('/touched?l')">×</button>`,
    `<button wire:click.prevent="delete(3)" onclick="fetch('/touched?m')">×</button>`,
    `<button class=phoenix phx-click='[["push",{"event":"delete"}]]' onclick="fetch('/touched?n')">×</button>`,
  ];
  site.add({
    '/harm': page([...buttons, ...marked, `<button onclick="fetch('/harmless')">Show more</button>`].join('')),
  });
  const before = site.asked.length;
  await bench.capture(site.url('/harm'));
  touched.push(...since(before));
  expect(touched).toEqual(['GET /harm', 'GET /harmless']);
});

test('an icon counts for the button that has no other words, and for nothing around it', async () => {
  const trash = '<i class="fa fa-trash"></i>';
  const used = [
    `<button onclick="fetch('/icons/words')">${trash} Show more</button>`,
    `<div onclick="fetch('/icons/around')"><img src=data:,><button type=button>${trash}</button></div>`,
    `<button phx-remove='[["hide",{}]]' onclick="fetch('/icons/phx')">+</button>`,
  ];
  site.add({ '/icons': page(used.join('')) });
  const before = site.asked.length;
  await bench.capture(site.url('/icons'));
  expect(since(before).toSorted()).toEqual(['GET /icons', 'GET /icons/around', 'GET /icons/phx', 'GET /icons/words']);
});

test('buttons that answer a consent dialog, shown or hidden, are not used; its other controls are', async () => {
  const buttons = (...words: string[]): string => words.map((word) => `<button>${word}</button>`).join('');
  site.add({
    '/asks-for-consent': page(
      `<div id=onetrust-consent-sdk style=display:none>${buttons('Accept All')}</div>
      <div class=cookie-banner><p>We use cookies</p>${buttons('Alle zulassen', 'OK', '×', 'Partners')}</div>
      <div class=has-cookie-banner><main>${buttons('OK')}</main></div><p>${buttons('Continue')}</p>`,
      `document.querySelectorAll('button').forEach((button,at)=>button.onclick=()=>{
        const a=document.createElement('a');a.href=String.fromCharCode(47)+'made-'+at;document.body.append(a)})`,
    ),
  });
  const found = paths(await bench.capture(site.url('/asks-for-consent')));
  expect(found.filter((path) => path.startsWith('/made-')).toSorted()).toEqual(['/made-4', '/made-5', '/made-6']);
});

test('links to other pages are not clicked: where they lead is known', async () => {
  site.add({ '/links': page(`<a href=/elsewhere id=a>e</a>`, `a.addEventListener('click',()=>fetch('/clicked'))`) });
  await bench.capture(site.url('/links'));
  expect(site.paths()).not.toContain('/clicked');
});

test('after a page was explored the next one sends what it likes', async () => {
  site.add({
    '/posts-at-load': page('', `fetch('/own',{method:'POST',body:'x'})`),
    '/own': (_request, response) => response.end('{}'),
  });
  const before = site.asked.length;
  await bench.capture(site.url('/posts-at-load'));
  expect(since(before)).toEqual(['GET /posts-at-load', 'POST /own']);
});
