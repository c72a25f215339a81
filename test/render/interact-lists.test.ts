/** Lists whose pages have no addresses, turned by controls that are redrawn. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

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

async function found(name: string, script: string): Promise<string[]> {
  site.add({ [name]: `<!doctype html><title>t</title><div id=app></div><script>${script}</script>` });
  return [...new Set(paths(await bench.capture(site.url(name)), 'anchor'))];
}

/** The number of loads of the page. */
const loads = (name: string): number => site.paths().filter((path) => path === name).length;

const PAGED = `const link=(to)=>'<a href=/i'+to+'>'+to+'</a>';
  const draw=(html,acts)=>{app.innerHTML=html;[...app.querySelectorAll('button')].forEach((b,at)=>{b.onclick=()=>acts(b.textContent,at)})};`;

test('a pager whose buttons are drawn anew is turned to its end without loading the page again', async () => {
  const script = `${PAGED}let n=1;const show=()=>draw(link(n)+'<button>Back</button><button>On</button>',(w)=>{n=Math.min(40,Math.max(1,n+(w==='On'?1:-1)));show()});show()`;
  expect(await found('/anew', script)).toHaveLength(40);
  expect(loads('/anew')).toBeLessThanOrEqual(2);
});

test('pages of rows that lead to an address only when they are clicked are turned to the end', async () => {
  const script = `const draw=(n)=>{app.innerHTML='<ul></ul><button id=next>Next</button>';
    for(let at=1;at<=3;at++){const row=document.createElement('li');row.textContent='Row '+'abcd'[n]+'xyz'[at-1];row.style.cursor='pointer';
      row.onclick=()=>{history.pushState(0,'','/row'+(n*3+at));app.innerHTML='<p>one row</p>'};app.firstChild.append(row)}
    next.disabled=n===3;next.onclick=()=>draw(n+1)};draw(0);addEventListener('popstate',()=>draw(0))`;
  site.add({ '/rows-of-pages': `<!doctype html><title>t</title><div id=app></div><script>${script}</script>` });
  const rows = paths(await bench.capture(site.url('/rows-of-pages')), 'history');
  expect(new Set(rows).size).toBe(12);
});

test('elements that have left the document are no candidates: they cost no load', async () => {
  const script = `${PAGED}let n=0;const show=()=>{draw('<button>One</button><button>Two</button><button>Three</button>',(w)=>{if(w==='Two')n+=1;show();app.insertAdjacentHTML('beforeend',w==='Two'?link(n%3):'')})};show()`;
  expect(await found('/left', script)).toEqual(['/i0', '/i1', '/i2']);
  expect(loads('/left')).toBe(1);
});

test('buttons that are given from page to page, by their places, are known by what they say', async () => {
  const script = `${PAGED}let n=1;const first=()=>Math.min(16,Math.max(1,n-2));
    app.innerHTML='<p id=items></p>'+'<button></button>'.repeat(5);const all=[...app.querySelectorAll('button')];
    const show=()=>{items.innerHTML=link(n);all.forEach((b,at)=>{b.textContent=first()+at})};
    all.forEach((b)=>{b.onclick=()=>{n=Number(b.textContent);show()}});show()`;
  expect(await found('/given', script)).toHaveLength(20);
});

test('rows that say the same are told by what stands before them, also where they are given to other rows', async () => {
  const script = `let n=0;app.innerHTML=Array.from({length:3},()=>'<div class=line><b></b><button>Details</button></div>').join('')+'<button id=on>More rows</button><p id=out></p>';
    const lines=[...app.querySelectorAll('.line')];
    const show=()=>lines.forEach((line,at)=>{const of=n*3+at;line.querySelector('b').textContent='Row '+'abcdefghi'[of];
      line.querySelector('button').onclick=()=>{out.innerHTML='<a href=/i'+of+'>x</a>'}});
    on.onclick=()=>{n=(n+1)%3;out.innerHTML='<a href=/p'+n+'>x</a>';show()};show()`;
  expect((await found('/rows', script)).filter((path) => path.startsWith('/i'))).toHaveLength(9);
});

test('a button that says something else once it was used is the same: it is not used to take back what it did', async () => {
  const script = `let n=0;app.innerHTML='<button id=b>Show</button><p id=out></p>';
    b.onclick=()=>{n+=1;const open=b.textContent==='Show';b.textContent=open?'Hide':'Show';
      out.innerHTML=open?'<a href=/i'+'1>x</a>':'';fetch('/used')}`;
  expect(await found('/toggle', script)).toEqual(['/i1']);
  expect(site.paths().filter((path) => path === '/used')).toHaveLength(2);
});

test('a list that shows only the rows in view has drawn its first rows again when the page is used', async () => {
  // the first click says which rows stood there
  const script = `app.innerHTML='<div id=list style="height:300px;overflow:auto"><div id=inner style="position:relative;height:12000px"></div></div><p id=out></p>';
    const draw=()=>{const from=Math.floor(list.scrollTop/30);inner.replaceChildren();
      for(let i=from;i<Math.min(400,from+10);i++){const b=document.createElement('button');b.textContent='Row '+i;
      b.style.cssText='position:absolute;height:30px;top:'+i*30+'px';b.onclick=()=>{out.firstChild??out.insertAdjacentHTML('beforeend','<a href=/row'+i+'>x</a>')};
      inner.append(b);const a=document.createElement('a');a.href='/i'+i;inner.append(a)}};
    draw();list.addEventListener('scroll',()=>setTimeout(draw,20))`;
  const rows = await found('/drawn', script);
  expect(rows.filter((path) => path.startsWith('/i'))).toHaveLength(400);
  expect(rows.filter((path) => path.startsWith('/row'))).toEqual(['/row0']);
});
