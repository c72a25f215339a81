/** Parts of an application that its routes load, all of them ahead: whole crawls against a server that notes each request. */
import { describe, expect, it } from 'vitest';
import { pathsOf, runCrawl } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';

/** As esbuild writes an application of Angular. Its parts come with it, not with the pages that they belong to. */
const SCRIPTS: Readonly<Record<string, string>> = {
  '/main.js': `const routes=[{path:"",redirectTo:"home"},{path:"home",component:1},
    {path:"account",loadChildren:()=>import("./account.js").then(t=>t.r)},
    {path:"shop",loadChildren:()=>import("./shop.js").then(t=>t.r)},{path:"**",component:2}];
    for(const {loadChildren} of routes)loadChildren?.()`,
  '/account.js': 'const r=[{path:"",redirectTo:"orders"},{path:"orders",component:3}];export{r}',
  '/shop.js':
    'const r=[{path:"",component:4},{path:"sale",component:5},{path:"help",loadChildren:()=>import("./help.js")}];r[2].loadChildren();export{r}',
  '/help.js': 'const r=[{path:"returns",component:6}];export{r}',
};
const PAGES = ['/', '/account', '/account/orders', '/home', '/shop', '/shop/help', '/shop/help/returns', '/shop/sale'];

const application = (): Promise<HttpOrigin> =>
  httpOrigin((request, response) => {
    const path = request.url ?? '';
    const script = SCRIPTS[path];
    if (script !== undefined) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    const body = `<title>${path}</title><h1>Words of ${path}</h1><script type="module" src="/main.js"></script>`;
    const status = PAGES.includes(path) ? 200 : 404;
    return response.writeHead(status, { 'content-type': 'text/html' }).end(`<!doctype html>${body}`);
  });

const missed = ({ requests }: HttpOrigin): readonly string[] =>
  requests.filter((line) => !PAGES.some((path) => line.endsWith(` ${path}`)) && !/\.(?:js|txt|xml|ico)$/.test(line));

describe('an application that loads all parts of its routes ahead', () => {
  it.each(['/', '/account/orders', '/shop/sale'])('shows the pages of each part, from %s on', async (path) => {
    await using origin = await application();
    const run = await runCrawl({ seeds: [origin.url + path], delay: 0, render: 'always' });
    expect(pathsOf(run)).toEqual(path === '/' ? PAGES : PAGES.slice(1));
    expect(missed(origin)).toEqual([]);
  });
});
