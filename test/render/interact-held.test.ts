/** Buttons that read as if they changed something: used at `--explore click`, but their requests do not leave the browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import type { Page } from '../../src/model/page.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  site = await FixtureServer.open({});
  bench = await openBench({ workers: 1, explore: 'click', pageTimeout: seconds(40) });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const page = (body: string, script = ''): string => `<!doctype html><title>t</title>${body}<script>${script}</script>`;

/** A page of buttons, each of its own kind. `$` stands for a slash that a reader of the script cannot see. */
const buttons = (ways: Readonly<Record<string, string>>): string => {
  const all = Object.entries(ways).map(
    ([words], at) => `<button class="${'b'.repeat(at + 1)}" id=b${at}>${words}</button>`,
  );
  const handlers = Object.values(ways).map((way, at) => `b${at}.onclick=()=>${way.replaceAll("'$", "to+'")}`);
  return page(all.join(''), `const to=String.fromCharCode(47);${handlers.join(';')}`);
};

/** The requests of a page during its visit, and its found links as `kind path context`. */
async function visited(path: string): Promise<{ asked: readonly string[]; found: readonly string[]; captured: Page }> {
  const before = site.asked.length;
  const captured = await bench.capture(site.url(path));
  const asked = site.asked.slice(before).filter((line) => !line.includes('favicon'));
  const found = captured.foundLinks.map(({ href, base, kind, context }) => {
    const { pathname, search } = new URL(href, base);
    return `${kind} ${pathname}${search} ${context}`;
  });
  return { asked, found, captured };
}

test('buttons outside of forms are used: what they send is listed as held', async () => {
  const ways = {
    Save: `fetch('$h/save',{method:'POST',body:'x'})`,
    Order: `fetch('$h/order',{method:'PUT',body:'x'})`,
    Delete: `confirm('Are you sure?')&&fetch('$h/delete/7',{method:'DELETE'})`,
    'Place bid': `fetch('$h/bid?amount=7')`,
    'Add to cart': `navigator.sendBeacon('$h/cart','a')`,
  };
  site.add({ '/held': buttons(ways) });
  const { asked, found } = await visited('/held');
  expect(asked).toEqual(['GET /held']);
  expect(found.filter((line) => line.endsWith('(held)')).toSorted()).toEqual([
    'request /h/bid?amount=7 fetch GET (held)',
    'request /h/cart beacon POST (held)',
    'request /h/delete/7 fetch DELETE (held)',
    'request /h/order fetch PUT (held)',
    'request /h/save fetch POST (held)',
  ]);
  expect(found.filter((line) => !line.startsWith('request '))).toEqual([]);
});

test('a GET of theirs does not leave by any way, and is no link that a crawl would follow', async () => {
  const ways = {
    Delete: `new Image().src='$g/picture?delete=1'`,
    Remove: `{const s=document.createElement('script');s.src='$g/jsonp?cb=x&do=rm';document.head.append(s)}`,
    'Buy now': `location.href='$g/location'`,
    'Pay now': `window.open('$g/window')`,
    Order: `history.pushState({},'','$g/route')`,
    Discard: `{const f=document.createElement('form');f.action='$g/form';document.body.append(f);f.submit()}`,
    Unsubscribe: `{const f=document.createElement('iframe');f.src='$g/frame';document.body.append(f)}`,
    Erase: `document.body.insertAdjacentHTML('beforeend','<a href="'+to+'g/delete?id=3">Yes, delete it</a>')`,
    Purge: `fetch('$g/late',{keepalive:true})`,
    Trash: `new EventSource('$g/stream')`,
    Revoke: `new WebSocket(location.origin.replace('http','ws')+'$g/socket')`,
    Donate: `document.body.style.background='url('+to+'g/sheet)'`,
  };
  site.add({ '/gets': buttons(ways) });
  const { asked, found } = await visited('/gets');
  expect(asked).toEqual(['GET /gets']);
  expect(site.upgrades).toEqual([]);
  for (const line of [
    '/g/location location',
    '/g/window window.open',
    '/g/route history.pushState',
    '/g/delete?id=3 a/@href',
  ])
    expect(found).toContain(`request ${line} (held)`);
  const parts = /^(?:request|resource|css|frame) /;
  expect(found.filter((line) => line.includes('/g/') && !parts.test(line))).toEqual([]);
});

test('what they show is read: a dialog in code of its own, and a link in it', async () => {
  site.add({
    '/dialog': page(
      '<button id=b>Order</button>',
      `b.onclick=async()=>{const {show}=await import('/h/dialog.js');show()}`,
    ),
    '/h/dialog.js': (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end(`export const show=()=>document.body.insertAdjacentHTML('beforeend','<a href=/h/terms>Terms</a>')`);
    },
  });
  const { asked, found } = await visited('/dialog');
  expect(asked).toEqual(['GET /dialog', 'GET /h/dialog.js']);
  expect(found).toContain('anchor /h/terms a/@href');
});

test('what they send later, or when the page is left, does not leave either', async () => {
  const late = `b.onclick=()=>{setTimeout(()=>fetch('/l/later'),1500);addEventListener('pagehide',()=>{
    navigator.sendBeacon('/l/bye','x');fetch('/l/last',{keepalive:true})})}`;
  site.add({ '/late': page('<button id=b>Delete</button><button>Show</button>', late), '/after': page('') });
  const { asked } = await visited('/late');
  expect(asked).toEqual(['GET /late']);
  expect((await visited('/after')).asked).toEqual(['GET /after']);
});

test('they come after all else: what the rest asks for by GET is still asked', async () => {
  const order = `del.onclick=()=>fetch('/o/delete');more.onclick=()=>fetch('/o/more')`;
  site.add({
    '/order': page('<button id=del>Delete</button><button id=more>Show more</button>', order),
    '/o/more': '',
  });
  expect((await visited('/order')).asked).toEqual(['GET /order', 'GET /o/more']);
});

test('what signs out or closes the account is never used, nor is what sends a form', async () => {
  const words = [
    'Log out',
    'Sign out',
    'Abmelden',
    'Se déconnecter',
    'Wyloguj',
    'Выйти',
    '退出登录',
    'ログアウト',
    'Delete my account',
    'Clear all data',
  ];
  const used = words
    .map((word, at) => `<button class=${'b'.repeat(at + 1)} onclick="import('/used-${at}.js')">${word}</button>`)
    .join('');
  const forms = `<form action=/f onsubmit="import('/used-form.js')"><button>Save</button></form><i role=button class=js-logout onclick="import('/used-mark.js')">x</i><button class=icon onclick="import('/used-icon.js')"><i class="fas fa-sign-out-alt"></i></button>`;
  site.add({ '/never': page(`${used}${forms}<button onclick="import('/used.js')">Delete</button>`) });
  expect((await visited('/never')).asked).toEqual(['GET /never', 'GET /used.js']);
});

test('on a page that holds a socket, or a worker, they are left alone: what is said there cannot be held', async () => {
  const open = `new WebSocket(location.origin.replace('http','ws')+'/s/open')`;
  const used = `<button onclick="import('/s/used.js')">Delete</button>`;
  site.add({
    '/socket': page(used, open),
    '/worker': page(used, `new Worker(URL.createObjectURL(new Blob(['onmessage=()=>{}'])))`),
  });
  expect((await visited('/socket')).asked).toEqual(['GET /socket']);
  expect((await visited('/worker')).asked).toEqual(['GET /worker']);
});

test('after such a page the next one opens the sockets that it likes', async () => {
  site.add({
    '/ends': page(`<button onclick="fetch('/e/delete')">Delete</button>`),
    '/opens': page('', `new WebSocket(location.origin.replace('http','ws')+'/e/socket')`),
  });
  await visited('/ends');
  await visited('/opens');
  expect(site.upgrades).toContain('/e/socket');
});

test('where forms are sent, what ends something is used after them, with nothing that leaves', async () => {
  await using sending = await openBench({ workers: 1, explore: 'submit', pageTimeout: seconds(40) });
  const body = `<button id=d>Delete</button><form method=post action=/sent><input name=q><button>Send</button></form>`;
  const script = `const to=String.fromCharCode(47);d.onclick=()=>fetch(to+'e/gone',{method:'DELETE'});`;
  site.add({ '/both': page(body, script), '/sent': page('<a href=/e/answer>a</a>') });
  const before = site.asked.length;
  const { foundLinks } = await sending.capture(site.url('/both'));
  const asked = site.asked.slice(before).filter((line) => !line.includes('favicon'));
  expect(asked.filter((line) => line !== 'GET /both')).toEqual(['POST /sent']);
  const found = foundLinks.map(({ href, base, context }) => `${new URL(href, base).pathname} ${context}`);
  expect(found).toContain('/e/answer a/@href');
  expect(found).toContain('/e/gone fetch DELETE (held)');
});
