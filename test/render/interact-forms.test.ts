import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  site = await FixtureServer.open({});
  bench = await openBench({ workers: 1, explore: 'submit' });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const page = (body: string, script = ''): string => `<!doctype html><title>t</title>${body}<script>${script}</script>`;

test('a form sent by GET is a link with its query, and is not sent', async () => {
  site.add({ '/get': page('<form action=/found><input type=search name=q required><button>Search</button></form>') });
  const captured = await bench.capture(site.url('/get'));
  const sent = captured.foundLinks
    .filter(({ stage }) => stage === 'submit')
    .map(({ href, kind }) => `${kind} ${new URL(href).pathname}${new URL(href).search}`);
  expect(sent).toContain('form /found?q=a');
  expect(site.paths().filter((path) => path.startsWith('/found'))).toEqual([]);
});

test('what a form sent by POST is answered with is read, and the page is itself again afterwards', async () => {
  site.add({
    '/post': page(
      '<form method=post action=/answer><label>E-mail <input name=mail type=email required></label><button>Send</button></form>',
    ),
    '/answer': '<!doctype html><title>a</title><a href=/behind-post>b</a>',
  });
  const captured = await bench.capture(site.url('/post'));
  expect(paths(captured)).toContain('/behind-post');
  expect(captured.finalUrl).toBe(site.url('/post'));
  expect(site.asked).toContain('POST /answer');
});

test('where a form sent by POST redirects to is a link', async () => {
  site.add({
    '/post-redirect': page(
      '<form method=post action=/redirecting><input name=name required><button>Save</button></form>',
    ),
    '/redirecting': (_request, response) => void response.writeHead(303, { location: '/thanks' }).end(),
  });
  const captured = await bench.capture(site.url('/post-redirect'));
  expect(paths(captured, 'form')).toContain('/thanks');
});

test('a form of several steps is gone through', async () => {
  const steps = `const steps=['<input name=name required><button type=button>Next</button>','<input name=mail type=email required><button type=button>Next</button>','<select name=size required><option value="">-<option>M</select><button>Finish</button>'];let n=0;
    const show=()=>{box.innerHTML='<form id=step'+n+'>'+steps[n]+'</form>';const f=box.firstChild;f.onsubmit=(e)=>{e.preventDefault();next(f)};const b=f.querySelector('[type=button]');if(b)b.onclick=()=>next(f)};
    const next=(f)=>{if(!f.reportValidity())return;n+=1;if(n<3)show();else box.innerHTML='<a href=/after-steps>a</a>'};show()`;
  site.add({ '/steps': page('<div id=box></div>', steps) });
  expect(paths(await bench.capture(site.url('/steps')))).toContain('/after-steps');
});

test('a field without a form or button is sent by Enter', async () => {
  site.add({
    '/enter': page(
      '<input id=q placeholder="Search">',
      `q.onkeydown=(e)=>{if(e.key==='Enter'&&q.value)document.body.insertAdjacentHTML('beforeend','<a href=/by-enter>a</a>')}`,
    ),
  });
  expect(paths(await bench.capture(site.url('/enter')))).toContain('/by-enter');
});

test('fields with a button and without a form are filled, and the button pressed', async () => {
  site.add({
    '/formless': page(
      '<div><input id=m type=email><button id=b>Submit</button></div>',
      `b.onclick=()=>{if(m.value.includes('@'))document.body.insertAdjacentHTML('beforeend','<a href=/formless-link>a</a>')}`,
    ),
  });
  expect(paths(await bench.capture(site.url('/formless')))).toContain('/formless-link');
});

test('a form that would end something is not sent', async () => {
  site.add({
    '/ends': page(
      '<form method=post action=/account/delete><input name=a><button>Go</button></form><form method=post action=/x-logout><button>Log out</button></form>',
    ),
  });
  await bench.capture(site.url('/ends'));
  expect(site.asked.filter((line) => /delete|logout/.test(line))).toEqual([]);
});

test('a form that deletes by a hidden method is not sent, one that edits is', async () => {
  const form = (id: number, method: string): string =>
    `<form class=f${'x'.repeat(id)} method=post action=/posts/${id}><input type=hidden name=_method value=${method}><input name=a><button>×</button></form>`;
  site.add({
    '/hidden-methods': page(form(1, 'DELETE') + form(2, 'patch')),
    '/posts/1': page(''),
    '/posts/2': page(''),
  });
  await bench.capture(site.url('/hidden-methods'));
  expect(site.asked).toContain('POST /posts/2');
  expect(site.asked).not.toContain('POST /posts/1');
});

test('nor is the button of such a form pressed by itself, where a script sends the form', async () => {
  const form = (id: number, method: string): string =>
    `<form method=post action=/sent/${id}><input type=hidden name=_method value=${method}><button>×</button></form>`;
  const script = `addEventListener('submit',(e)=>{e.preventDefault();fetch(e.target.action,{method:'POST',body:new FormData(e.target)})})`;
  site.add({ '/by-script': page(form(3, 'delete') + form(4, 'put'), script), '/sent/3': '', '/sent/4': '' });
  await bench.capture(site.url('/by-script'));
  expect(site.asked).toContain('POST /sent/4');
  expect(site.asked).not.toContain('POST /sent/3');
});

test('the form of a consent dialog is not sent, the form around a dialog is by its own button', async () => {
  const choices = `<form class=cookie-choices method=post action=/choices><label><input type=checkbox>Ads</label>
    <button type=button>Details</button><button>Save my choices</button></form>`;
  const toggles = `<div class=consent-centre><input type=checkbox><button onclick="fetch('/toggles',{method:'POST'})">Confirm</button></div>`;
  const around = `<form method=post action=/around><input name=q><div class=cookie-banner>
    <button name=a value=accept onclick="fetch('/accepted')">Accept</button></div><button>Go</button></form>`;
  site.add({ '/consent-forms': page(choices + toggles + around), '/around': page('') });
  const before = site.asked.length;
  await bench.capture(site.url('/consent-forms'));
  const asked = site.asked.slice(before).filter((line) => !line.includes('favicon'));
  expect([...new Set(asked)].toSorted()).toEqual(['GET /consent-forms', 'POST /around']);
});
