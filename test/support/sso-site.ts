/**
 * An application, and an identity provider on another host (127.0.0.1 and localhost: two registrable domains) that signs its users in, by a
 * pop-up window or by redirects. The provider asks for the password, then for consent to inform the application, and answers with a code.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FixtureServer } from '../render/fixture-server.ts';
import { PASSWORD, USER } from './sign-in-site.ts';

const APP = '127.0.0.1';
const PROVIDER = 'localhost';

export interface SsoSite extends AsyncDisposable {
  readonly url: (path: string) => string;
  /** Requests from pages of the provider to a server at an address that the crawl may not reach. */
  readonly reachedPrivate: () => readonly string[];
  /** The number of sessions begun by the application. */
  readonly logIns: () => number;
  /** All data sent to each host: address, headers and body of every request. */
  readonly heardByApp: () => string;
  readonly heardByProvider: () => string;
  /** Secret values of the application and of the provider. */
  readonly ofApp: () => readonly string[];
  readonly ofProvider: () => readonly string[];
}

/** @param pages of members: `/`, `/m/1` to `/m/<pages>` */
export async function openSsoSite(pages = 3): Promise<SsoSite> {
  const heard: Record<string, string[]> = { [APP]: [], [PROVIDER]: [] };
  const codes = new Set<string>();
  const appSessions: string[] = [];
  const providerSessions: string[] = [];
  const server = await FixtureServer.open({});
  const closed = await FixtureServer.open({});
  const app = server.url('', APP);
  const provider = server.url('', PROVIDER);
  const html = (response: ServerResponse, text: string, cookie?: string): void => {
    response.writeHead(200, { 'content-type': 'text/html', ...(cookie === undefined ? {} : { 'set-cookie': cookie }) });
    response.end(text);
  };
  const to = (response: ServerResponse, location: string, cookie?: string): void => {
    response.writeHead(302, { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) }).end();
  };
  const members = (number: number) => (request: IncomingMessage, response: ServerResponse) => {
    if (!appSessions.some((sid) => request.headers.cookie?.includes(sid) === true)) return to(response, '/login');
    const next = number < pages ? `<a href=/m/${number + 1}>next</a>` : '';
    const seen = `<img src="${provider}/seen.png">`;
    html(
      response,
      `<title>member ${number}</title><nav id=user-menu>${USER}</nav>text of page ${number}${seen}${next}`,
    );
  };
  const login = `<title>sign in</title><button id=popup>In a window</button><a id=redirect href="${provider}/authorize?by=redirect">Here</a><script>
    document.querySelector('#popup').onclick = () => open('${provider}/authorize?by=popup', 'sso', 'popup,width=400,height=500');
    addEventListener('message', ({ origin, data }) => { if (origin === '${provider}') location.href = '/callback?code=' + data; });
  </script>`;
  const authorize = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const by = new URL(request.url ?? '', provider).searchParams.get('by') ?? '';
    if (request.method !== 'POST')
      return html(
        response,
        `<title>provider</title><img src="${closed.url('/private.png')}"><form method=post><input id=user name=user><input id=password name=password type=password><button id=send>Go</button></form>`,
      );
    const given = new URLSearchParams(await bodyOf(request));
    heard[PROVIDER]?.push(given.toString());
    if (given.get('user') !== USER || given.get('password') !== PASSWORD) return html(response, '<title>no</title>');
    const sid = `qzw8-provider-${randomBytes(8).toString('hex')}`;
    const token = `qzw8-token-${randomBytes(8).toString('hex')}`;
    providerSessions.push(sid, token);
    html(
      response,
      `<title>leave</title><script>localStorage.setItem('token', '${token}')</script><form method=post action="/allow?by=${by}"><button id=allow>Allow</button></form>`,
      `psid=${sid}; Path=/; HttpOnly`,
    );
  };
  const allow = (request: IncomingMessage, response: ServerResponse): void => {
    const code = `code-${randomBytes(8).toString('hex')}`;
    codes.add(code);
    const isPopup = new URL(request.url ?? '', provider).searchParams.get('by') === 'popup';
    if (!isPopup) return to(response, `${app}/callback?code=${code}`);
    html(response, `<script>opener.postMessage('${code}', '${app}'); close()</script>`);
  };
  const callback = (request: IncomingMessage, response: ServerResponse): void => {
    if (!codes.delete(new URL(request.url ?? '', app).searchParams.get('code') ?? '')) return to(response, '/login');
    const sid = `qzw8-app-${randomBytes(8).toString('hex')}`;
    appSessions.push(sid);
    to(response, '/', `sid=${sid}; Path=/; HttpOnly`);
  };
  const on = (host: string, route: (request: IncomingMessage, response: ServerResponse) => unknown) => {
    return (request: IncomingMessage, response: ServerResponse): void => {
      const name = request.headers.host?.split(':', 1)[0] ?? '';
      heard[name]?.push(`${request.url}\n${request.rawHeaders.join('\n')}`);
      if (name !== host) return void response.writeHead(404).end();
      void route(request, response);
    };
  };
  server.add({
    '/': on(APP, members(0)),
    ...Object.fromEntries(
      Array.from({ length: pages }, (_, index) => [`/m/${index + 1}`, on(APP, members(index + 1))]),
    ),
    '/login': on(APP, (_request, response) => html(response, login)),
    '/callback': on(APP, callback),
    '/authorize': on(PROVIDER, authorize),
    '/allow': on(PROVIDER, allow),
    '/seen.png': on(PROVIDER, (_request, response) => response.end('x')),
  });
  return {
    url: (path) => server.url(path, APP),
    reachedPrivate: () => closed.asked,
    logIns: () => appSessions.length,
    heardByApp: () => (heard[APP] ?? []).join('\n'),
    heardByProvider: () => (heard[PROVIDER] ?? []).join('\n'),
    ofApp: () => appSessions,
    ofProvider: () => providerSessions,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await closed[Symbol.asyncDispose]();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** Steps with the named button of the log-in page; the password is in the environment as `SITE_PASSWORD`. */
export function ssoSteps(by: 'popup' | 'redirect'): string {
  return [
    'url: /login',
    'timeout: 5',
    'steps:',
    `  - { click: '#${by}' }`,
    `  - { fill: '#user', with: ${USER} }`,
    "  - { fill: '#password', with: '${env:SITE_PASSWORD}', at: 'http://localhost:*/authorize**' }",
    "  - { click: '#send' }",
    "  - { click: '#allow' }",
    "  - { wait: '#user-menu' }",
    '',
  ].join('\n');
}

/** The same in the pop-up window, as a module. */
export const SSO_MODULE = `export default async ({ page }) => {
  await page.goto(new URL('/login', process.env.SITE_URL).href);
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#popup')]);
  await popup.fill('#user', '${USER}');
  await popup.fill('#password', process.env.SITE_PASSWORD);
  await popup.click('#send');
  await Promise.all([popup.waitForEvent('close'), popup.click('#allow')]);
  await page.waitForSelector('#user-menu');
};
`;
