import { decode } from 'jpeg-js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ConsentState } from '../../src/model/consent.ts';
import { loadConsentEngine, type ConsentEngine } from '../../src/render/consent/consent-engine.ts';
import { CONSENT_RELOADS } from '../../src/render/limits/consent-limits.ts';
import type { RenderOptions } from '../../src/render/renderer.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench, type BenchOptions } from './render-bench.ts';

let engine: ConsentEngine;
beforeAll(async () => {
  engine = await loadConsentEngine();
});

type Mode = NonNullable<RenderOptions['consent']>['mode'];

function openConsentBench(mode: Mode, bench: BenchOptions = {}): Promise<Bench> {
  return openBench({ workers: 1, screenshot: 'viewport', consent: { mode, engine } }, bench);
}

/** Is the middle of the viewport red? The dialogs are red. */
function showsRed(screenshot: Uint8Array | null): boolean {
  const { data, width, height } = decode(screenshot ?? new Uint8Array(), { useTArray: true });
  const [red = 0, green = 0] = data.subarray(4 * (Math.floor(height / 2) * width + Math.floor(width / 2)));
  return red > 200 && green < 100;
}

/** A dialog that the engine knows, with this handler on its reject button. */
const dialog = (onReject: string): Route => `<!doctype html><title>page</title><a href=/a>a</a>
<div id=adroll_consent_container style="position:fixed;inset:0">May we?
<button id=adroll_consent_accept>yes</button><button id=adroll_consent_reject>no</button></div>
<script>document.getElementById('adroll_consent_reject').onclick=()=>{${onReject}}</script>`;

describe('a consent dialog', () => {
  const ENDS: readonly (readonly [Mode, Readonly<Record<string, readonly [ConsentState, string]>>])[] = [
    [
      'reject',
      {
        '/words.html': ['rejected', 'Words: rejected'],
        '/reloads.html': ['rejected', 'Reloads: rejected'],
        '/shadow.html': ['rejected', 'Shadow: rejected'],
        '/frame.html': ['rejected', 'Frame: rejected'],
        '/only.html': ['shown', 'Only'],
        '/after.html': ['none', 'After'],
      },
    ],
    [
      'accept',
      {
        // for a dialog without a rule the engine clicks the best button, which rejects
        '/words.html': ['shown', 'Words'],
        '/reloads.html': ['accepted', 'Reloads: accepted'],
        '/shadow.html': ['accepted', 'Shadow: accepted'],
        '/frame.html': ['accepted', 'Frame: accepted'],
        '/only.html': ['accepted', 'Only: accepted'],
        '/after.html': ['none', 'After'],
      },
    ],
    [
      'hide',
      {
        // rules hide the dialog, in the page itself
        '/words.html': ['hidden', 'Words'],
        '/reloads.html': ['hidden', 'Reloads'],
        '/shadow.html': ['hidden', 'Shadow'],
        '/frame.html': ['hidden', 'Frame'],
        '/only.html': ['hidden', 'Only'],
        '/after.html': ['none', 'After'],
      },
    ],
  ];

  test.each(ENDS)('is dealt with as --consent %s says, before the page is read and drawn', async (mode, ends) => {
    await using site = await openFixture('consent');
    await using bench = await openConsentBench(mode);
    for (const [path, [consent, title]] of Object.entries(ends)) {
      const page = await bench.capture(new URL(path, site.url).href);
      expect([path, page.consent, page.title]).toEqual([path, consent, title]);
      if (path === '/after.html' || path === '/only.html' || path === '/frame.html') continue;
      expect([path, showsRed(page.screenshot)]).toEqual([path, consent === 'shown']);
      // links of the dialog, and links that its answer brings
      expect(paths(page, 'anchor')).toContain('/privacy.html');
      expect(paths(page, 'anchor').includes('/after.html')).toBe(consent === 'rejected' || consent === 'accepted');
    }
    expect(bench.renderer.stats()).toMatchObject({ pagesReplaced: 0, browsersReplaced: 0 });
  });

  test('is left alone, and not even looked for, where nothing else is asked for', async () => {
    await using site = await openFixture('consent');
    await using bench = await openBench({ workers: 1 });
    const page = await bench.capture(new URL('/words.html', site.url).href);
    expect(page).toMatchObject({ title: 'Words', consent: null });
  });

  test('whose answers the page alone knows is answered by the questions that the engine ships', async () => {
    const cookiebot = `window.Cookiebot={hasResponse:false,dialog:{visible:true},
      withdraw(){document.title='withdrawn'},hide(){document.title+=', hidden';this.dialog.visible=false}}`;
    await using site = await FixtureServer.open({
      '/': `<!doctype html><title>page</title><script>${cookiebot}</script>`,
    });
    await using bench = await openConsentBench('reject');
    expect(await bench.capture(site.url('/'))).toMatchObject({ consent: 'rejected', title: 'withdrawn, hidden' });
  });

  test.each(['reject', 'hide'] as const)(
    'that --consent %s hides is hidden where the policy of the page forbids styles, too, and breaks no such policy',
    async (mode) => {
      const strict =
        (body: string): Route =>
        (_request, response) => {
          response.setHeader('content-type', 'text/html');
          response.setHeader('content-security-policy', "style-src 'none'; report-uri /report");
          response.end(`<!doctype html><title>page</title>${body}`);
        };
      const wpcc = '<div class=wpcc-container><p class=wpcc-message>May we?</div>';
      await using site = await FixtureServer.open({ '/plain': strict('<p>text'), '/': strict(wpcc) });
      const settings = { workers: 1, consent: { mode, engine }, details: { seesCertificates: false } };
      await using bench = await openBench(settings);
      const pages = [await bench.capture(site.url('/plain')), await bench.capture(site.url('/'))];
      expect(pages.map(({ consent }) => consent)).toEqual(['none', 'hidden']);
      expect(pages.map(({ behaviour }) => behaviour?.cspViolations.count)).toEqual([0, 0]);
      expect(site.paths()).toEqual(['/plain', '/']);
    },
  );

  test('that its rule hides is reported as hidden, but not where a style of the page keeps it in view', async () => {
    await using site = await FixtureServer.open({
      '/': '<!doctype html><title>page</title><div class=wpcc-container><p class=wpcc-message>May we?</div>',
    });
    await using bench = await openConsentBench('reject');
    const page = await bench.capture(site.url('/'));
    expect([page.consent, page.text]).toEqual(['hidden', '']);
    site.add({
      '/strict':
        '<!doctype html><title>page</title><div class=wpcc-container style="display:block!important"><p class=wpcc-message>May we?</div>',
    });
    const strict = await bench.capture(site.url('/strict'));
    expect([strict.consent, strict.text]).toEqual(['shown', 'May we?']);
  });

  test('is not asked again where the site remembers its answer', async () => {
    await using site = await openFixture('consent');
    await using bench = await openConsentBench('reject');
    const url = new URL('/reloads.html', site.url).href;
    expect((await bench.capture(url)).consent).toBe('rejected');
    expect(await bench.capture(url)).toMatchObject({ consent: 'none', title: 'Reloads: rejected' });
  });
});

describe('a dialog that', () => {
  test('loads its page again has all of the new page read, what comes late too', async () => {
    const late = `setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<a href=/late>late</a>'),3000)`;
    await using site = await FixtureServer.open({
      '/': (request, response) => {
        response.setHeader('content-type', 'text/html');
        const answered = request.headers.cookie?.includes('answered') === true;
        if (answered) response.setHeader('x-robots-tag', 'nofollow');
        const shown = answered
          ? `<script>${late}</script>`
          : String(dialog('document.cookie="answered=1";location.reload()'));
        setTimeout(() => response.end(`<!doctype html><body>${shown}`), 50);
      },
    });
    await using bench = await openConsentBench('reject');
    const page = await bench.capture(site.url('/'));
    expect(page.consent).toBe('rejected');
    expect(paths(page, 'anchor')).toEqual(['/a', '/late']);
    expect(page.robots).toEqual(['nofollow']);
  });

  test('loads its page again for ever is left shown after some loads', async () => {
    await using site = await FixtureServer.open({ '/': dialog('location.reload()') });
    await using bench = await openConsentBench('reject');
    expect(await bench.capture(site.url('/'))).toMatchObject({ consent: 'shown', title: 'page' });
    expect(site.paths()).toEqual(Array.from({ length: 1 + CONSENT_RELOADS }, () => '/'));
  });

  test.each([
    ['leads elsewhere', `location='/elsewhere'`],
    [
      'sends a form',
      `const f=document.createElement('form');f.method='post';f.action='/elsewhere';document.body.append(f);f.submit()`,
    ],
    ['opens a window', `open('/elsewhere')`],
    ['does nothing', ``],
  ])('%s leads the crawler nowhere, and is reported as shown', async (_name, onReject) => {
    await using site = await FixtureServer.open({ '/': dialog(`${onReject};`) });
    await using bench = await openConsentBench('reject');
    const page = await bench.capture(site.url('/'));
    expect(page).toMatchObject({ title: 'page', consent: 'shown' });
    expect(site.paths()).toEqual(['/']);
  });
});

describe('a hostile page', () => {
  test('cannot speak for the engine, nor have it run anything, and its tricks reach nothing of ours', async () => {
    const tricks = `
      const words = [{type:'popupFound',cmp:'x'},{type:'optOutResult',cmp:'x',result:true},{type:'autoconsentDone',cmp:'x',isCosmetic:false},
        {type:'eval',id:'1',code:'document.title="reached"',snippetId:'document.title="reached"'}];
      const say = () => { for (const word of words) {
        try { orbweaverConsent(JSON.stringify(word)); document.title = 'reached' } catch {}
        try { autoconsentSendMessage(word); document.title = 'reached' } catch {}
        postMessage(word, '*');
      } };
      window.autoconsentReceiveMessage = () => { document.title = 'reached' };
      Object.defineProperty(window, 'orbweaverReloads', { set() { document.title = 'reached' }, get() { return true } });
      JSON.stringify = () => '{"type":"autoconsentDone","isCosmetic":false}';
      // what snippets of the engine read: they run here, and tell nothing but yes or no
      Object.defineProperty(window, 'Cookiebot', { get() { return { toString() { throw 1 }, get dialog() { throw 1 } } } });
      setInterval(say, 50); say();`;
    await using site = await FixtureServer.open({
      '/': `<!doctype html><title>page</title><form name=documentElement><input name=readyState></form><a href=/a>a</a><script>${tricks}</script>`,
    });
    await using bench = await openConsentBench('reject');
    const page = await bench.capture(site.url('/'));
    expect(page).toMatchObject({ title: 'page', consent: 'none' });
    expect(paths(page, 'anchor')).toEqual(['/a']);
  });
});

describe('--consent hide', () => {
  const NOTICE = `<div id=notice style="position:fixed;inset:auto 0 0;background:#f00">We use cookies and similar technologies to
    improve your experience. <button>Accept all</button> <button>Reject all</button></div>`;
  const RECIPE = `<main><h1>Butter cookies</h1><p>We use butter: accept no less. These cookies are our privacy. <button>Accept all</button></main>`;
  const HEADER = `<header style="position:fixed;top:0"><a href=/policy>Cookie policy and privacy preferences</a><button>OK</button>the shop</header>`;
  const LOG_IN = `<div role=dialog style="position:fixed;inset:20%">Sign in. We use cookies to keep your preferences.
    <input type=password><button>Accept and sign in</button></div>`;
  const OFFER = `<div style="position:fixed;top:40%">Our best cookie recipes by mail <button>OK</button></div>`;
  const APP = (inner: string): string =>
    `<div style="position:fixed;inset:0;overflow:auto"><nav>menu</nav><p>the text of the application</p>${inner}</div>`;

  test('hides a dialog with its backdrop at the end of a page of many elements', async () => {
    const dark = '<div id=dark style="position:fixed;inset:0;background:#000"></div>';
    await using site = await FixtureServer.open({
      '/': `<!doctype html><title>page</title>${'<p><b>x</b></p>'.repeat(3000)}${dark}${NOTICE}`,
    });
    await using bench = await openConsentBench('hide');
    const { consent, text, html } = await bench.capture(site.url('/'));
    expect(consent).toBe('hidden');
    expect(text).not.toContain('similar technologies');
    expect(html).toMatch(/<div id="dark" style="[^"]*display: none/);
  });

  test('hides a dialog with its backdrop, lets the page scroll again, and hides nothing that only looks like one', async () => {
    const page = (html: string): string => `<!doctype html><title>page</title>${html}`;
    await using site = await FixtureServer.open({
      '/notice': page(`${RECIPE}${HEADER}${LOG_IN}${OFFER}${NOTICE}`),
      '/recipe': page(RECIPE),
      '/header': page(`${HEADER}<p>goods`),
      '/log-in': page(`${LOG_IN}<p>behind`),
      '/offer': page(`${OFFER}<p>behind`),
      '/app': page(APP(NOTICE)),
      '/framed-app': page('<iframe src=/inner style="position:fixed;inset:0"></iframe>'),
      '/inner': page(`<nav>menu</nav><p>the text of the application</p><div id="piano-cookie_banner">May we?
        <button data-acceptance-button>Yes</button><button data-close-button>No</button></div>`),
      '/backdrop':
        page(`<style>body{overflow:hidden}</style><div id=dark style="position:fixed;inset:0;background:#000"></div>
        ${NOTICE}<p>read</p><script>document.title=''; new MutationObserver(() => document.title = [getComputedStyle(document.body).overflowY, dark.offsetWidth]
        .join(' ')).observe(document, { attributes: true, subtree: true })</script>`),
    });
    await using bench = await openConsentBench('hide');
    const of = async (path: string) => {
      const { consent, text, title } = await bench.capture(site.url(path));
      return { consent, text: text?.replace(/\s+/g, ' ') ?? '', title };
    };
    const mixed = await of('/notice');
    expect(mixed.consent).toBe('hidden');
    expect(mixed.text).not.toContain('similar technologies');
    for (const words of ['Butter cookies', 'Cookie policy', 'Sign in', 'recipes by mail'])
      expect(mixed.text).toContain(words);
    for (const [path, words] of [
      ['/recipe', 'We use butter'],
      ['/header', 'Cookie policy'],
      ['/log-in', 'Sign in'],
      ['/offer', 'recipes by mail'],
    ] as const) {
      const { consent, text } = await of(path);
      expect([path, consent === 'hidden', text.includes(words)]).toEqual([path, false, true]);
    }
    const app = await of('/app');
    expect([app.consent, app.text.includes('the text of the application'), app.text.includes('similar')]).toEqual([
      'hidden',
      true,
      false,
    ]);
    // the frame also contains the application
    expect((await of('/framed-app')).consent).toBe('shown');
    expect(await of('/backdrop')).toMatchObject({ consent: 'hidden', text: 'read', title: 'auto 0' });
  });
});
