/** Pages that must never be judged green, and real content that resembles them. All are read like a stored page. */
import { describe, expect, it } from 'vitest';
import { auditCrawl } from '../../../src/audit/audit-crawl.ts';
import type { NotJudgedReason } from '../../../src/model/finding.ts';
import { documentOf, prose, storeSite, type SitePage } from '../../support/audited-site.ts';

const SCRIPT = '<script src="/app.js"></script>';
const MENU = '<nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/blog">Blog</a></nav>';
const page = (title: string, body: string): string => documentOf(body, { title });
/** Articles of some hundred words, without spaces between them. */
const JAPANESE = `<p>${'朝の市場では、漁師たちがその日の魚を並べ、町の人々が値段を聞いて歩く。'.repeat(12)}</p>`;
const CHINESE = `<p>${'清晨的市场上，渔民把当天的鱼摆出来，城里的人一边走一边问价钱。'.repeat(16)}</p>`;

const NEVER_GREEN: Readonly<Record<string, readonly [NotJudgedReason, SitePage | string]>> = {
  'a log-in page': [
    'log-in-page',
    page(
      'Log in – Example',
      `${MENU}<h1>Log in</h1><form><input name="user"><input type="password"><button>Log in</button></form>`,
    ),
  ],
  'a log-in page in another language': [
    'log-in-page',
    page('Anmelden', '<form><label>Name <input></label><input type="password"><button>Weiter</button></form>'),
  ],
  'the first step of a log-in, without a password field': [
    'log-in-page',
    page('Sign in to your account', '<h1>Sign in</h1><form><input type="email"><button>Next</button></form>'),
  ],
  'a log-in page in Japanese': [
    'log-in-page',
    page(
      'ログイン',
      '<p>会員の方はメールアドレスとパスワードを入力してください。</p><form><input><input type="password"></form>',
    ),
  ],
  'an answer that asks for a log-in': ['log-in-page', { outcome: 'http-error', status: 401 }],
  'a challenge': [
    'challenge',
    page(
      'Just a moment...',
      '<h1>www.example.org</h1><p>Checking if the site connection is secure</p><script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>',
    ),
  ],
  'a captcha': [
    'challenge',
    page(
      'example.org',
      '<p>Please verify you are a human to continue.</p><script src="https://hcaptcha.com/1/api.js"></script>',
    ),
  ],
  'a bot wall': [
    'challenge',
    page(
      'Access Denied',
      "<h1>Access Denied</h1><p>You don't have permission to access this page on this server. Reference #18.4f</p>",
    ),
  ],
  'a consent wall': [
    'consent-wall',
    page(
      'Before you continue',
      '<h1>Before you continue</h1><p>We and our partners use cookies to keep the service running.</p><button>Reject all</button><button>Accept all</button>',
    ),
  ],
  'a consent wall in place of the page': [
    'consent-wall',
    page(
      'Example News',
      '<div><p>We value your privacy. Cookies and similar tracking let our 800 partners show personalised ads. Give your consent or pay.</p><button>Accept all</button><button>Manage options</button></div>',
    ),
  ],
  'a page that was not found, with 200': [
    'soft-404',
    page('404 – Page not found', `${MENU}<h1>Oops! That page is gone.</h1>`),
  ],
  'one that says so in a heading alone': [
    'soft-404',
    page('Example Shop', `${MENU}<h1>Page not found</h1><p>Try the search.</p>`),
  ],
  'one in another language': ['soft-404', page('Seite nicht gefunden', `${MENU}<p>Tut uns leid.</p>`)],
  ...Object.fromEntries(
    [
      'The page you are looking for does not exist.',
      'The page you were looking for doesn’t exist',
      'The page you requested could not be found',
      'This page could not be found.',
      "This page couldn't be found",
      'That page can’t be found',
      "Page doesn't exist",
      "We couldn't find that page",
      'Sorry, we can’t seem to find the page you’re looking for.',
      'La página no existe',
      '抱歉，您访问的页面不存在',
      'الصفحة غير موجودة',
      'Сторінку не знайдено',
      'Sorry, the page cannot be found',
      'Página não encontrada',
      'Страница не найдена',
      'Nie znaleziono strony',
      'Strona nie została znaleziona',
      'Sidan kunde inte hittas',
      'Sidan hittades inte',
      'Siden blev ikke fundet',
      'Siden ble ikke funnet',
      'Sivua ei löytynyt',
      'Stránka nebyla nalezena',
      'Sayfa bulunamadı',
      'A oldal nem található',
      'Pagina nu a fost găsită',
      'Η σελίδα δεν βρέθηκε',
      'ページが見つかりません',
      'お探しのページは見つかりませんでした',
      '页面不存在',
      '页面未找到',
      '找不到网页',
      '找不到頁面',
      '페이지를 찾을 수 없습니다',
    ].map((line): [string, [NotJudgedReason, string]] => [
      `one that says: ${line}`,
      ['soft-404', page('Example', `${MENU}<h1>${line}</h1>${SCRIPT}`)],
    ]),
  ),
  'an error page with 200': [
    'error-page',
    page('Something went wrong', '<h1>Something went wrong</h1><p>Please try again later.</p>'),
  ],
  'the output of a program that failed': [
    'error-page',
    page('Shop', '<p>Fatal error: Uncaught Error: Call to undefined function price() in /srv/shop.php:12</p>'),
  ],
  'a page of maintenance': [
    'error-page',
    page("We'll be right back", '<h1>We’ll be back soon</h1><p>Scheduled work.</p>'),
  ],
  'an answer with 500': ['error-page', { outcome: 'http-error', status: 500 }],
  'an empty shell': ['empty-application', page('App', `<div id="root"></div>${SCRIPT}`)],
  'a shell with a menu and nothing in it': [
    'empty-application',
    page(
      'App',
      `<header>Example</header><main id="app"></main><img src="/logo.svg" alt="" width="1" height="9">${SCRIPT}`,
    ),
  ],
  'an application that draws itself': ['canvas', page('Game', `<canvas id="stage"></canvas>${SCRIPT}`)],
  'a page that asks for scripts': [
    'empty-application',
    page('App', `<p>You need to enable JavaScript to run this app.</p>${SCRIPT}`),
  ],
  'a page that showed nothing after its scripts ran': ['empty-application', { html: page('App', SCRIPT), empty: true }],
  'a page that still loads': ['not-rendered-to-the-end', page('Dashboard', `<div class="box">Loading…</div>${SCRIPT}`)],
  'a page of placeholders': [
    'not-rendered-to-the-end',
    page('Feed', `<h1>Feed</h1><div class="card skeleton"></div><div class="card skeleton"></div>${SCRIPT}`),
  ],
  'a page whose time was up with little on it': [
    'not-rendered-to-the-end',
    {
      html: page('Map', `<h1>Map</h1><p>Harbours of the north</p>${SCRIPT}`),
      settle: { reason: 'timeout', pending: ['/api'] },
    },
  ],
  'a page that never answered': ['not-rendered-to-the-end', { outcome: 'timed-out', status: null }],
  'a page that broke off': ['cut', { html: page('Harbour', prose('The harbour')), truncated: 'disconnect' }],
  'a page that sends its readers on': [
    'forwarding',
    '<html><meta http-equiv=refresh content="0; URL=en/index.html"><p>Go on to the English pages.</p></html>',
  ],
  'a page whose script sends its readers on': [
    'forwarding',
    "<script>\n  window.onload = function () {\n    window.location = 'https://www.example.net/';\n  };\n</script>\nTaking you to the target site.",
  ],
  'one with a link for those without scripts': [
    'forwarding',
    '<title>Moved</title><p>This page is at <a href="/en/">another address</a>.</p><script>location.replace("/en/")</script>',
  ],
  'a page whose text was not read to its end': [
    'cut',
    { html: page('Harbour', prose('The harbour')), detail: 'not read to its end: text to compare (deadline)' },
  ],
  'a page that is too large': ['cut', { outcome: 'too-large', status: 200 }],
};

const CONTENT: Readonly<Record<string, SitePage | string>> = {
  'a page with a script that was too long to be read for links': {
    html: page('Harbour', prose('The harbour')),
    detail:
      'answers not read for links: links of an answer (longer than 4,194,304 characters) https://example.org/a.js',
  },
  'an article about log-ins': page('How to log in safely', prose('Log in with a password that nobody guesses')),
  'an article with a log-in box in its header': page(
    'The harbour',
    `<form><input><input type="password"><button>Log in</button></form>${prose('The harbour')}${prose('The market')}`,
  ),
  'an article with a cookie banner': page(
    'The harbour',
    `<div><p>We use cookies. Our partners ask for your consent.</p><button>Accept all</button></div>${prose('The harbour')}`,
  ),
  'a cookie policy': page(
    'Cookie policy',
    prose('Which cookies we set, for which tracking, and how to withdraw consent'),
  ),
  'an article about the status 404': page(
    '404 handling in frameworks',
    prose('404 handling: what to answer when a page is not found'),
  ),
  'a reference of status codes': page(
    '500 Internal Server Error',
    prose('500 Internal Server Error is what a server says').repeat(4),
  ),
  'a guide to captchas': page('Captcha design', prose('Verify you are human: captchas and what they cost')),
  'a short page': page('Contact', `${MENU}<h1>Contact</h1><p>Write to harbour@example.org, or call 555-0100.</p>`),
  'a short page whose script may lead elsewhere': page(
    'Contact',
    '<h1>Contact</h1><p>Write to us.</p><script>if (top.location == "/a") onclick = () => (location.href = "/b");</script>',
  ),
  'a picture with a caption': page(
    'The pier',
    `${MENU}<h1>The pier</h1><img src="/p.jpg" alt="The pier" width="9" height="9">`,
  ),
  'a list of pages': page(
    'Archive',
    `${MENU}<h1>Archive</h1><ul><li><a href="/1">One</a><li><a href="/2">Two</a></ul>${SCRIPT}`,
  ),
  'a page with a video alone': page('Film', `<h1>Film</h1><video src="/f.mp4" controls></video>${SCRIPT}`),
  'a form': page(
    'Order',
    `${MENU}<h1>Order</h1><form><input name="name"><textarea></textarea><button>Send</button></form>${SCRIPT}`,
  ),
  'a page whose spinner is hidden': page(
    'Harbour',
    `<div class="spinner" hidden></div>${prose('The harbour')}${SCRIPT}`,
  ),
  'a page that loads itself again': documentOf(prose('The harbour, every minute'), {
    title: 'Live',
    head: '<meta http-equiv="refresh" content="60">',
  }),
  'a page that keeps a connection open': {
    html: page('Live', prose('The harbour, live')),
    settle: { reason: 'timeout', pending: ['wss://example.org/live'] },
  },
  ...Object.fromEntries(
    [
      'The page that could not be printed',
      'The file you sent us',
      'Content you can trust',
      'We could not find a better harbour',
      'Content you love does not exist elsewhere',
      '我们的网页',
      'Resource planning does not exist in a vacuum',
      'Article 5 exists',
      '找不到工作怎么办',
      '見つかりません！失くした指輪',
      'Страница истории',
      'Página não oficial',
    ].map((line): [string, string] => [
      `a page that is called: ${line}`,
      page(line, `${MENU}<h1>${line}</h1><p>Sea view.</p>`),
    ]),
  ),
  'a room with 404 in its name': page('Room 404', `${MENU}<h1>Room 404</h1><p>Sea view, two beds.</p>`),
  'an article in Japanese that keeps a connection open': {
    html: page('みなとの市場', JAPANESE),
    settle: { reason: 'timeout', pending: ['wss://example.org/live'] },
  },
  'an article in Chinese with a log-in box in its header': page(
    '港口市场',
    `<form><input><input type="password"><button>登录</button></form>${CHINESE}`,
  ),
  'an article in Chinese about the status 404': page('404错误页面的处理方法', CHINESE),
  'a list of error codes of a program': page('Error codes', prose('Error codes and what they mean')),
};

describe('a page is not judged where it shows', () => {
  it.each(Object.entries(NEVER_GREEN))('%s', async (_name, [reason, shown]) => {
    await using site = await storeSite({ pages: { '/': shown } });
    const { coverage, findings, pages } = await auditCrawl(site.folder);
    expect(pages.map(({ judged }) => judged)).toEqual([reason]);
    expect(coverage).toMatchObject({ seen: 1, judged: 0, notJudged: { [reason]: 1 } });
    expect(findings.filter(({ rule }) => rule !== 'soft-404')).toEqual([]);
  });

  it('a log-in page to a crawl that was signed in', async () => {
    const logIn = page('Log in', '<form><input name="user"><input type="password"></form>');
    const options = { seeds: ['https://example.org/'], headers: ['Cookie: [redacted]'] };
    await using site = await storeSite({ pages: { '/': logIn }, crawl: { options } });
    expect((await auditCrawl(site.folder)).coverage.notJudged).toEqual({ 'signed-out': 1 });
  });

  it('nothing that was kept', async () => {
    const kept = { html: '', outcome: 'captured', status: 200 } as const;
    await using site = await storeSite({ pages: { '/': kept } });
    expect((await auditCrawl(site.folder)).coverage.notJudged).toEqual({ 'not-stored': 1 });
  });
});

/** Forms of Django's administration. */
const NEW_PASSWORD = '<form><input type="password"><input type="password"><button>Save</button></form>';
const ONE_PASSWORD = '<form><input name="login"><input type="password"><button>Save</button></form>';

describe('to a crawl that was signed in', () => {
  it.each([
    ['a form for a new password is judged', { html: page('Password change', MENU + NEW_PASSWORD) }, true],
    ['a log-in beside a registration is not', { html: page('Account', ONE_PASSWORD + NEW_PASSWORD) }, 'signed-out'],
    ['a form for a user is not, for it may be a log-in', { html: page('User', MENU + ONE_PASSWORD) }, 'signed-out'],
    ['but is judged where it shows the mark', { html: page('User', MENU + ONE_PASSWORD), signedIn: true }, true],
    ['a log-in without the mark is not', { html: page('Log in', ONE_PASSWORD), signedIn: false }, 'signed-out'],
  ])('%s', async (_name, shown, judged) => {
    const options = { seeds: ['https://example.org/'], login: 'login.yaml', signedIn: 'selector:#menu' };
    await using site = await storeSite({ pages: { '/': shown }, crawl: { options } });
    expect((await auditCrawl(site.folder)).pages.map((audited) => audited.judged)).toEqual([judged]);
  });

  it('a cookie proves nothing, for the server may have forgotten it', async () => {
    const options = { seeds: ['https://example.org/'], login: 'login.yaml', signedIn: 'cookie:session' };
    const shown = { html: page('Log in', ONE_PASSWORD), signedIn: true };
    await using site = await storeSite({ pages: { '/': shown }, crawl: { options } });
    expect((await auditCrawl(site.folder)).pages.map(({ judged }) => judged)).toEqual(['signed-out']);
  });
});

describe('a page is judged though it is', () => {
  it.each(Object.entries(CONTENT))('%s', async (_name, shown) => {
    await using site = await storeSite({ pages: { '/': shown } });
    expect((await auditCrawl(site.folder)).pages.map(({ judged }) => judged)).toEqual([true]);
  });
});
