import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

let site: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  site = await FixtureServer.open({});
  bench = await openBench({ workers: 1, explore: 'scroll', viewport: { width: 800, height: 600 } });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const MADE = `const made=(to,into,height=40)=>{const a=document.createElement('a');a.href=to;a.textContent=to;a.style.cssText='display:block;height:'+height+'px';into.append(a);return a};`;

function page(body: string, script: string): string {
  return `<!doctype html><title>t</title>${body}<script>${MADE}${script}</script>`;
}

async function scrolled(path: string): Promise<string[]> {
  const captured = await bench.capture(site.url(path));
  return [
    ...new Set(paths({ ...captured, foundLinks: captured.foundLinks.filter(({ stage }) => stage === 'scroll') })),
  ];
}

const ENDLESS = (list: string, root: string, height: number): string => `
  let n=0;const more=()=>{for(let i=0;i<3&&n<12;i++,n++)end.before(made('/row'+n,${list},${height}))};
  new IntersectionObserver((es)=>{if(es.some((e)=>e.isIntersecting))setTimeout(more,50)},{root:${root}}).observe(end)`;

test('a list that grows at its end is scrolled to its end', async () => {
  site.add({
    '/long': page(
      `<div style=height:900px></div><div id=list><div id=end>end</div></div>`,
      ENDLESS('list', 'null', 500),
    ),
  });
  expect(await scrolled('/long')).toHaveLength(12);
});

test('a list that takes its time for each batch is scrolled to its end', async () => {
  const slow = ENDLESS('list', 'null', 500).replace('50)}', '1500)}');
  site.add({ '/slow': page(`<div style=height:900px></div><div id=list><div id=end>end</div></div>`, slow) });
  expect(await scrolled('/slow')).toHaveLength(12);
});

test('an end that is still in view after a batch is made to leave and come again', async () => {
  site.add({
    '/short': page(
      `<div style=height:900px></div><div id=list><div id=end>end</div></div>`,
      ENDLESS('list', 'null', 30),
    ),
  });
  expect(await scrolled('/short')).toHaveLength(12);
});

test('an end that large batches have taken out of view, and a small one has not, is made to leave all the same', async () => {
  const heights = '[500,500,500,500,500,500,30,30,30,30,30,30,30,30,30]';
  site.add({
    '/shrinking': page(
      `<div style=height:900px></div><div id=list><div id=end>end</div></div>`,
      `let n=0;const heights=${heights};
      const more=()=>{for(let i=0;i<3&&n<15;i++,n++)end.before(made('/row'+n,list,heights[n]))};
      new IntersectionObserver((es)=>{if(es.some((e)=>e.isIntersecting))setTimeout(more,50)}).observe(end)`,
    ),
  });
  expect(await scrolled('/shrinking')).toHaveLength(15);
});

test('a page that frames have made long is scrolled, whatever its likes before it did', async () => {
  const grow = `requestAnimationFrame(()=>{box.style.height='2000px'});${ENDLESS('list', 'null', 500)}`;
  const body = '<div id=box></div><div id=list><div id=end></div></div>';
  site.add({
    '/late/1': page(`<p>short</p>`, ''),
    '/late/2': page(body, grow),
    '/late/3': '<!doctype html><title>t</title><a href=/plain>no script</a>',
    '/late/4': page(body, grow),
  });
  expect(await scrolled('/late/1')).toEqual([]);
  expect(await scrolled('/late/2')).toHaveLength(12);
  expect(paths(await bench.capture(site.url('/late/3')))).toEqual(['/plain']);
  expect(await scrolled('/late/4')).toHaveLength(12);
});

test('a list with a scroll bar of its own is scrolled', async () => {
  site.add({
    '/inner': page(
      `<div id=list style="height:300px;overflow:auto"><div style=height:400px></div><div id=end>end</div></div>`,
      ENDLESS('list', 'list', 200),
    ),
  });
  expect(await scrolled('/inner')).toHaveLength(12);
});

test('a list that goes on to the right is scrolled', async () => {
  site.add({
    '/across': page(
      `<div id=list style="display:flex;width:300px;overflow-x:scroll"><div style="flex:none;width:500px">start</div></div>`,
      `let n=0;list.addEventListener('scroll',()=>{if(list.scrollLeft+list.clientWidth>list.scrollWidth-50&&n<5)made('/card'+n++,list).style.cssText='flex:none;width:200px'})`,
    ),
  });
  expect(await scrolled('/across')).toHaveLength(5);
});

test('a list in an open shadow tree is scrolled', async () => {
  site.add({
    '/shadow': page(
      `<div id=h></div>`,
      `const r=h.attachShadow({mode:'open'});r.innerHTML='<div style="height:200px;overflow:auto"><div style=height:400px>x</div></div>';
       const list=r.firstChild;list.addEventListener('scroll',()=>list.childElementCount<3&&made('/in-shadow',list),{once:true})`,
    ),
  });
  expect(await scrolled('/shadow')).toEqual(['/in-shadow']);
});

test('a frame is scrolled', async () => {
  site.add({
    '/framed': page(`<iframe src=/frame style="height:200px"></iframe>`, ''),
    '/frame': page(
      `<div style=height:900px>x</div>`,
      `addEventListener('scroll',()=>made('/in-frame',document.body),{once:true})`,
    ),
  });
  expect(await scrolled('/framed')).toEqual(['/in-frame']);
});

test('a part in the middle that is filled when it is seen is seen', async () => {
  site.add({
    '/middle': page(
      `<div style=height:2000px>a</div><section id=part></section><div style=height:4000px>b</div>`,
      `new IntersectionObserver((es)=>{if(es.some((e)=>e.isIntersecting)&&!part.firstChild)made('/middle-link',part)}).observe(part)`,
    ),
  });
  expect(await scrolled('/middle')).toEqual(['/middle-link']);
});

test.each([
  ['of its own', 'overflow:auto;height:300px', 'list'],
  ['of the page', '', 'window'],
])('a list that shows only the rows in view is read row by row, with a scroll bar %s', async (name, style, source) => {
  const path = `/virtual-${name.replaceAll(' ', '-')}`;
  const script = `const inner=document.getElementById('inner');const draw=()=>{const top=${source === 'list' ? 'list.scrollTop' : 'scrollY'};
    const from=Math.floor(top/30);inner.replaceChildren();for(let i=from;i<Math.min(400,from+25);i++){const a=made('/v'+i,inner,30);a.style.position='absolute';a.style.top=i*30+'px'}};
    draw();${source}.addEventListener('scroll',()=>requestAnimationFrame(draw))`;
  site.add({
    [path]: page(
      `<div id=list style="${style}"><div id=inner style="position:relative;height:12000px"></div></div>`,
      script,
    ),
  });
  const captured = await bench.capture(site.url(path));
  expect(new Set(paths(captured)).size).toBe(400);
  // its snapshot has what a reader sees first
  expect([...(captured.html ?? '').matchAll(/href="\/v(\d+)"/g)].map(([, row]) => row)).toContain('0');
});

test('a page that does not end is left after a number of rounds', async () => {
  site.add({
    '/endless': page(
      `<div id=list></div>`,
      `let n=0;const grow=()=>{for(let i=0;i<20;i++)made('/e'+n++,list)};grow();addEventListener('scroll',grow)`,
    ),
  });
  const found = await scrolled('/endless');
  expect(found.length).toBeGreaterThan(100);
  expect(found.length).toBeLessThan(2000);
});

const inShadow = (inner: string, script: string): string =>
  page('<div id=h></div>', `const root=h.attachShadow({mode:'open'});root.innerHTML=\`${inner}\`;${script}`);

test('a list in an open shadow tree that shows only the rows in view is read row by row', async () => {
  site.add({
    '/virtual-shadow': inShadow(
      '<div id=list style="height:300px;overflow:auto"><div id=inner style="position:relative;height:12000px"></div></div>',
      `const list=root.getElementById('list'),inner=root.getElementById('inner');const draw=()=>{const from=Math.floor(list.scrollTop/30);
       inner.replaceChildren();for(let i=from;i<Math.min(400,from+25);i++){const a=made('/s'+i,inner,30);a.style.position='absolute';a.style.top=i*30+'px'}};
       draw();list.addEventListener('scroll',()=>requestAnimationFrame(draw))`,
    ),
  });
  expect(new Set(paths(await bench.capture(site.url('/virtual-shadow')))).size).toBe(400);
});

test('a part of a fixed height in an open shadow tree that is filled when it is seen is read', async () => {
  site.add({
    '/middle-shadow': inShadow(
      '<div style=height:2000px>a</div><section id=part style=height:100px></section><div style=height:4000px>b</div>',
      `const part=root.getElementById('part');new IntersectionObserver((es)=>{
       if(es.some((e)=>e.isIntersecting)&&!part.firstChild)made('/middle-in-shadow',part)}).observe(part)`,
    ),
  });
  expect(await scrolled('/middle-shadow')).toEqual(['/middle-in-shadow']);
});
