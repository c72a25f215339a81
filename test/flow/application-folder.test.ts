/** Routes that the scripts of an application in a folder of its host name: whole crawls against a server that notes each request. */
import { describe, expect, it } from 'vitest';
import { pathsOf, runCrawl } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';

const MENU = ['', 'users', 'teams'].map((name) => `<a href="/app/${name}">${name}</a>`).join(' ');
const SCRIPT = `const routes=['/users','/teams','/reports'];document.querySelector('main').innerHTML=${JSON.stringify(MENU)}`;

const application = (): Promise<HttpOrigin> =>
  httpOrigin((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('.js')) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT);
    const status = /^\/app\/(?:users|teams|reports)?$/.test(path) ? 200 : 404;
    const body = `<title>${path}</title><h1>Words of ${path}</h1><main></main><script src="/app/js/main.js"></script>`;
    return response.writeHead(status, { 'content-type': 'text/html' }).end(`<!doctype html>${body}`);
  });

const outside = ({ requests }: HttpOrigin): readonly string[] =>
  requests.filter((line) => !/ \/(?:app\/|robots\.txt|sitemap\.xml)/.test(line) && !line.includes('favicon'));

describe('an application in a folder whose menu shows where its routes lead', () => {
  it('is not asked for at the root of its host', async () => {
    await using origin = await application();
    const run = await runCrawl({ seeds: [`${origin.url}/app/`], delay: 0, render: 'always' });
    expect(pathsOf(run)).toEqual(['/app/', '/app/reports', '/app/teams', '/app/users']);
    expect(outside(origin)).toEqual([]);
  });
});
