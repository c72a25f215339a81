/** What using pages teaches: a menu that stands on every page is not opened on each of them. */
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

const GROUPS = ['Animals', 'Plants', 'Stones'];

/** A page of an application: a menu as on all pages, whose groups open at a click, and a button that brings a link of this page alone. */
const page = (name: string): string => `<!doctype html><title>${name}</title><nav id=menu></nav><p>${name}</p>
  <button id=more>More</button><script>
  const made=(to,into)=>{const a=document.createElement('a');a.href=to;a.textContent=to;into.append(a)};
  for(const group of ${JSON.stringify(GROUPS)}){const box=document.createElement('section');const b=document.createElement('button');
    b.textContent=group;b.onclick=()=>{navigator.sendBeacon('/opened?'+group);b.onclick=null;
      const inner=document.createElement('button');inner.textContent='All '+group;box.append(inner);
      inner.onclick=()=>made('/'+group.toLowerCase(),box)};
    box.append(b);menu.append(box)}
  more.onclick=()=>made('/more/${name}',document.body)</script>`;

test('the controls of a menu are left out once three pages showed nothing else; those of the page itself are used on each', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  site.add({
    ...Object.fromEntries(names.map((name) => [`/${name}`, page(name)])),
    ...Object.fromEntries(GROUPS.map((group) => [`/opened?${group}`, ''])),
  });
  const found: Record<string, string[]> = {};
  for (const name of names) {
    const captured = await bench.capture(site.url(`/${name}`));
    found[name] = paths(
      { ...captured, foundLinks: captured.foundLinks.filter(({ stage }) => stage === 'click') },
      'anchor',
    );
  }
  const menu = GROUPS.map((group) => `/${group.toLowerCase()}`);
  for (const name of names.slice(0, 4)) expect(found[name]?.toSorted()).toEqual([...menu, `/more/${name}`].toSorted());
  for (const name of names.slice(4)) expect(found[name]).toEqual([`/more/${name}`]);
});
