/** F39, F40 and F61 to F66: requests of a page to its browser, state that it leaves there, and what it reports about itself. */
import { MESSAGE_LIMIT } from '../../src/render/page-limits.ts';
import { must, scripted, type CrawlFixture, type Handler, type Route } from './fixture.ts';
import { raw } from './transport-fixtures.ts';
import { openHost } from './world.ts';

/** Asks for every permission that a user would be asked for. */
const PERMISSIONS = `
  print(); document.documentElement.requestFullscreen().catch(()=>{}); Notification.requestPermission().catch(()=>{});
  navigator.clipboard?.readText().catch(()=>{}); navigator.geolocation?.getCurrentPosition(()=>{},()=>{});
  navigator.mediaDevices?.getUserMedia({video:true,audio:true}).catch(()=>{}); navigator.requestMIDIAccess?.({sysex:true}).catch(()=>{});
  navigator.bluetooth?.requestDevice({acceptAllDevices:true}).catch(()=>{}); navigator.usb?.requestDevice({filters:[]}).catch(()=>{});
  navigator.hid?.requestDevice({filters:[]}).catch(()=>{}); navigator.serial?.requestPort().catch(()=>{});
  navigator.wakeLock?.request().catch(()=>{}); navigator.storage?.persist?.().catch(()=>{});
  try{showOpenFilePicker().catch(()=>{})}catch{} try{document.body.requestPointerLock()}catch{}
  for(const name of ['camera','microphone','geolocation','notifications','clipboard-read','midi'])
    navigator.permissions.query({name}).then((p)=>{if(p.state==='granted')document.title='granted '+name}).catch(()=>{});`;

/** Leaves a mark in every storage, and reports in its title the marks of other pages. */
const MARKS = `
  const found=[]; if(document.cookie)found.push('cookie'); if(localStorage.length)found.push('storage');
  if(sessionStorage.length)found.push('session'); if(navigator.serviceWorker?.controller)found.push('worker');
  document.cookie='mark=1;max-age=9999;path=/'; localStorage.mark=1; sessionStorage.mark=1;
  navigator.serviceWorker?.register('/worker.js').catch(()=>{}); caches.open('mark').then((c)=>c.put('/fake',new Response('x')));
  document.title='found: '+found.join(' ');`;

const throttled =
  (retryAfter: string): Handler =>
  (_request, response) =>
    response.writeHead(503, { 'retry-after': retryAfter, 'content-type': 'text/html' }).end('<title>later</title>');

const SABOTAGE = `
  Array.from=()=>['POLLUTED']; JSON.stringify=()=>'POLLUTED'; JSON.parse=()=>({polluted:1}); Object.prototype.toJSON=()=>'POLLUTED';
  Object.prototype.polluted='yes'; Document.prototype.querySelectorAll=()=>[]; Element.prototype.getAttribute=()=>'/POLLUTED';
  String.prototype.slice=()=>'POLLUTED'; Map.prototype.get=()=>'POLLUTED'; Promise.prototype.then=function(){return this};
  Object.defineProperty(HTMLAnchorElement.prototype,'href',{get:()=>'http://127.0.0.1/POLLUTED'});`;

const CLOBBER =
  '<form name=documentElement></form><form name=body></form><img name=title><form id=x name=querySelectorAll><input name=__proto__></form><a href="__proto__" rel="__proto__">p</a><a href=constructor>c</a>';

const signalled = (status: number, headers: Readonly<Record<string, string>>): Route => {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<title>s</title>s');
};

export const STATE_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'F39',
    attack: 'a page that prints, and asks for every permission that there is',
    routes: () => ({ '/hostile': scripted(PERMISSIONS) }),
    also: ({ page }) => {
      const record = page('/hostile');
      return [
        ...must(record?.title === 'hostile', `its title became "${record?.title}"`),
        ...must((record?.timing?.load ?? 0) < 5000, `it took ${record?.timing?.load} ms to load`),
      ];
    },
  },
  {
    id: 'F40',
    attack: 'marks that reach another domain or forge a later page: cookies, storage, a service worker',
    // pages of one registrable domain share a storage: the test is on another domain, here localhost beside 127.0.0.1
    paths: ['/first', '/fake'],
    routes: () => ({
      '/first': scripted(MARKS),
      '/other': scripted(MARKS),
      '/fake': scripted('1', '<p id=true>the true page</p>').replace('hostile', 'true'),
      '/worker.js': (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(
            "onfetch=(e)=>e.respondWith(new Response('<title>forged</title>',{headers:{'content-type':'text/html'}}))",
          ),
    }),
    seeds: ({ site }) => [`http://localhost:${site.port}/other`],
    flags: () => ['--exclude', 'localhost.*(?:innocent|kept|first|fake)'],
    also: ({ page, pages }) => {
      const other = pages.find(({ url }) => url.endsWith('/other'))?.title;
      return [
        ...must(page('/fake')?.title === 'true', `the page that could be forged is called "${page('/fake')?.title}"`),
        ...must(other === 'found:', `the page of another domain saw marks: "${other}"`),
      ];
    },
  },
  {
    id: 'F61',
    attack: 'a page that sabotages the language, and names its parts as the document does',
    paths: ['/sabotage', '/clobber'],
    routes: () => ({
      '/sabotage': scripted(SABOTAGE, '<a href=/innocent-1>i</a>'),
      '/clobber': `<!doctype html><title>clobber</title>${CLOBBER}<a href=/innocent-2>i</a><script>1</script>`,
    }),
    flags: () => ['--exclude', '__proto__|constructor'],
    also: ({ links, world, page }) => {
      const from = (path: string): readonly string[] =>
        links.filter((link) => link.from === world.site.url + path).map(({ to }) => to.slice(world.site.url.length));
      return [
        ...must(
          from('/sabotage').includes('/innocent-1') && from('/sabotage').includes('/kept'),
          'true links are missing',
        ),
        ...must(from('/clobber').includes('/innocent-2'), 'links of the page that names its parts are missing'),
        ...must(
          !JSON.stringify([from('/sabotage'), page('/sabotage')]).includes('POLLUTED'),
          'forged values were taken',
        ),
      ];
    },
  },
  {
    id: 'F62',
    attack: 'a page that looks for automation, and floods those who listen: messages, large objects, exceptions',
    paths: ['/looks', '/messages', '/object', '/exceptions'],
    routes: () => ({
      '/looks': scripted(
        `const k=Object.getOwnPropertyNames(window).filter((n)=>/playwright|puppeteer|orbweaver|cdc_|__pw/i.test(n));
         document.title='found: '+k.join(' ')+(navigator.webdriver?'':'')`,
      ),
      '/messages': scripted('for(let n=0;n<1e6;n++)console.error("x".repeat(100)+n)'),
      '/object': scripted(
        'console.log("x".repeat(2**28),{get a(){throw new Error("x")}});console.error({get a(){while(1);}})',
      ),
      '/exceptions': scripted('(function next(n){if(n<1e6)queueMicrotask(()=>{next(n+1);throw new Error("y"+n)})})(0)'),
    }),
    ends: {
      '/looks': 'captured',
      '/messages': ['captured', 'timed-out'],
      '/object': ['captured', 'timed-out', 'crashed'],
      '/exceptions': ['captured', 'timed-out'],
    },
    also: ({ page }) => [
      ...must(page('/looks')?.title === 'found:', `it found "${page('/looks')?.title}"`),
      ...['/messages', '/exceptions'].flatMap((path) => {
        const { console: said = 0, exceptions = 0 } = page(path)?.problems ?? {};
        return must(
          said + exceptions <= MESSAGE_LIMIT,
          `${said + exceptions} messages of ${path} are counted, not at most ${MESSAGE_LIMIT}`,
        );
      }),
    ],
  },
  {
    id: 'F63',
    attack: 'cookies: 4,000 of 4 KB, and one for all of a public suffix',
    paths: ['/cookies', '/after'],
    routes: () => ({
      '/cookies': (_request, response) =>
        response
          .writeHead(200, {
            'content-type': 'text/html',
            'set-cookie': [...Array.from({ length: 12 }, (_, n) => `h${n}=${'x'.repeat(4000)}`), 'all=1; Domain=com'],
          })
          .end(scripted('for(let n=0;n<4000;n++)document.cookie="c"+n+"="+"x".repeat(4000)+";max-age=9999"')),
      '/after': scripted('document.title="cookies: "+document.cookie.length'),
    }),
    also: ({ page }) => must(page('/after')?.title === 'cookies: 0', `the next page sees ${page('/after')?.title}`),
  },
  {
    id: 'F64',
    attack: 'frames of HTTP/2 where HTTP/1.1 was asked for: settings, pings and resets by the thousand',
    // the suite's certificates are not trusted, so no client speaks HTTP/2 to it: what remains is a server that sends HTTP/2
    routes: () => ({
      '/hostile': raw(
        Buffer.concat([
          Buffer.from('000000040000000000', 'hex'),
          ...Array.from({ length: 10_000 }, () => Buffer.from('0000080600000000000000000000000000', 'hex')),
        ]),
      ),
    }),
    ends: { '/hostile': 'unreachable' },
    also: ({ page }) => {
      const detail = page('/hostile')?.detail ?? '';
      return must(/bad-response|parse|HTTP/i.test(detail), `the reason is "${detail}", not bad-response`);
    },
    quick: true,
  },
  {
    id: 'F65',
    attack: 'Retry-After of 1e9 seconds, of less than none, of no number, and of other centuries',
    routes: () => ({ '/hostile': '<!doctype html><title>h</title><p>beside it' }),
    seeds: async ({ disposal }) => {
      const values = ['1e9', '-1', 'never', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Thu, 01 Jan 2999 00:00:00 GMT'];
      const hosts = await Promise.all(
        values.map((value) =>
          openHost(disposal, (request, response) =>
            request.url === '/robots.txt' ? response.writeHead(404).end() : throttled(value)(request, response),
          ),
        ),
      );
      return hosts.map(({ url }) => `${url}/throttled`);
    },
    also: ({ pages }) => {
      const ended = pages.filter(({ url }) => url.endsWith('/throttled')).map(({ outcome }) => outcome);
      return must(
        ended.length === 5 && ended.every((each) => each === 'http-error'),
        `five hosts that say "later" ended as ${ended.join(', ')}`,
      );
    },
  },
  {
    id: 'F66',
    attack: '304 to an unconditional request, and an ETag of a megabyte',
    paths: ['/not-modified', '/etag'],
    routes: () => ({
      '/not-modified': signalled(304, { etag: '"x"' }),
      '/etag': raw(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: "${'x'.repeat(1e6)}"\r\n\r\n<title>e</title><p>text`,
      ),
    }),
    ends: { '/not-modified': ['http-error', 'unreachable', 'captured'], '/etag': 'unreachable' },
  },
];
