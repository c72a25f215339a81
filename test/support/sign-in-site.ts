/** Sites to sign in to: by a form, with or without a one-time password, with sessions that end by themselves or by a GET, or by tokens. */
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FixtureServer } from '../render/fixture-server.ts';

export const USER = 'alice';
export const PASSWORD = 'qzw8-form-password';
/** The key of RFC 4226's test vectors, in base32. */
export const TOTP_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** A cookie as in a storage state: of a session on 127.0.0.1, with the given changes. */
export function stateCookie(changes: { readonly value: string } & Readonly<Record<string, unknown>>): object {
  const kind = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' };
  return { name: 'sid', domain: '127.0.0.1', ...kind, ...changes };
}

interface SiteOptions {
  readonly password?: string;
  /** Asks for a one-time password, too. */
  readonly totp?: boolean;
  /** Member pages, `/m/1` to `/m/<this>`, each linking to the next two. */
  readonly pages?: number;
  /** The number of pages after which a session ends. */
  readonly pagesPerSession?: number;
  /** The answer for visitors who are not signed in: the form itself, a redirect to it, or 403. */
  readonly refusal?: 'form' | 'redirect' | 'forbidden';
  /** Markup of every member page. */
  readonly markup?: (path: string) => string;
  /** Paths that end the session, whatever their names. */
  readonly signingOut?: readonly string[];
}

export interface SignInSite extends AsyncDisposable {
  readonly server: FixtureServer;
  /** The number of sessions begun. */
  readonly logIns: () => number;
  /** Ends all sessions, as a restart does. */
  endSessions(): void;
  /** Changes the password for later log-ins. */
  setPassword(password: string): void;
  /** Session ids in the cookies. */
  readonly sessions: () => readonly string[];
  readonly url: (path: string) => string;
}

export async function openSignInSite(options: SiteOptions = {}): Promise<SignInSite> {
  const { pages = 6, refusal = 'redirect', pagesPerSession = Infinity, signingOut = [] } = options;
  let { password = PASSWORD } = options;
  const live = new Map<string, number>();
  const all: string[] = [];
  const codes = new Set<string>();
  const sidOf = ({ headers }: IncomingMessage): string => /sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
  const form = (hint = ''): string =>
    `<title>sign in</title><p>${hint}</p><form action=/login method=post><input name=user id=user><input name=password id=password type=password>${
      options.totp === true ? '<input name=code id=code>' : ''
    }<button id=send>Sign in</button></form>`;
  const html = (response: ServerResponse, text: string, status = 200): void => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(text);
  };
  const page = (path: string): string => {
    const number = Number(path.split('/').at(-1)) || 0;
    const links = [number + 1, number + 2]
      .filter((next) => next <= pages)
      .map((next) => `<a href=/m/${next}>page ${next}</a>`)
      .join(' ');
    return `<title>member ${number}</title><nav id=user-menu>${USER}</nav><p>text ${number} ${'word '.repeat(number)}</p>${links}${options.markup?.(path) ?? ''}`;
  };
  const members = (path: string) => (request: IncomingMessage, response: ServerResponse) => {
    const sid = sidOf(request);
    const served = live.get(sid);
    if (served !== undefined && served >= pagesPerSession) live.delete(sid);
    if (!live.has(sid)) {
      if (refusal === 'form') return html(response, form());
      if (refusal === 'forbidden') return html(response, 'no', 403);
      return void response.writeHead(302, { location: `/login?next=${encodeURIComponent(path)}` }).end();
    }
    live.set(sid, (served ?? 0) + 1);
    html(response, page(path));
  };
  const logIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return html(response, form());
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const given = new URLSearchParams(body);
    const code = given.get('code') ?? '';
    const isCode = options.totp !== true || (isCurrent(code) && !codes.has(code));
    if (given.get('user') !== USER || given.get('password') !== password || !isCode)
      return html(response, form('wrong password'));
    codes.add(code);
    const sid = `qzw8-session-${randomBytes(8).toString('hex')}`;
    live.set(sid, 0);
    all.push(sid);
    response.writeHead(302, { location: '/', 'set-cookie': `sid=${sid}; Path=/; HttpOnly` }).end();
  };
  const signOut = (request: IncomingMessage, response: ServerResponse): void => {
    live.delete(sidOf(request));
    html(response, '<title>bye</title>see you');
  };
  const routes = {
    '/login': (request: IncomingMessage, response: ServerResponse) => void logIn(request, response),
    '/': members('/'),
    ...Object.fromEntries(Array.from({ length: pages }, (_, index) => [`/m/${index + 1}`, members(`/m/${index + 1}`)])),
    ...Object.fromEntries(signingOut.map((path) => [path, signOut])),
  };
  const server = await FixtureServer.open(routes);
  return {
    server,
    logIns: () => all.length,
    endSessions: () => live.clear(),
    setPassword: (text) => {
      password = text;
    },
    sessions: () => all,
    url: (path) => server.url(path),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A second implementation of RFC 6238, so that the test does not compare the code with itself. */
function isCurrent(code: string): boolean {
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(Math.floor(Date.now() / 30_000), 4);
  const digest = createHmac('sha1', '12345678901234567890').update(counter).digest();
  const offset = (digest[19] ?? 0) & 15;
  return code === String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Steps for {@link openSignInSite}. The password is in the environment as `SITE_PASSWORD`, the secret as `SITE_TOTP`. */
export function loginSteps({ totp = false }: { readonly totp?: boolean } = {}): string {
  return [
    'url: /login',
    'timeout: 5',
    'steps:',
    `  - { fill: '#user', with: ${USER} }`,
    "  - { fill: '#password', with: '${env:SITE_PASSWORD}' }",
    ...(totp ? ["  - { fill: '#code', totp: '${env:SITE_TOTP}' }"] : []),
    "  - { click: '#send' }",
    "  - { wait: '#user-menu' }",
    '',
  ].join('\n');
}
