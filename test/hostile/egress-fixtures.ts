/** F01 to F13: whatever a page names, the crawler connects only to permitted addresses. */
import { serveVectors } from '../egress/vectors.ts';
import { must, scripted, type Crawled, type CrawlFixture, type Route } from './fixture.ts';
import { nameServer } from './name-server.ts';
import type { World } from './world.ts';

/** Every host is in scope: only the address decides. */
const ANYWHERE = ['--scope', 'any', '--time-limit', '40s'];

const linking = (urls: readonly string[]): string =>
  `<!doctype html><title>links</title><p>Many ways.</p>${urls.map((url) => `<a href="${url}">${url}</a>`).join('\n')}`;

const redirect =
  (location: string, status = 302): Route =>
  (_request, response) =>
    response.writeHead(status, { location }).end();

/** Each of these must be recorded as blocked. */
function blocked({ pages, skipped }: Crawled, urls: readonly string[]): readonly string[] {
  return urls.flatMap((written) => {
    const url = new URL(written).href;
    const ended = pages.find((page) => page.url === url)?.outcome ?? skipped.find((each) => each.url === url)?.reason;
    return must(ended === 'blocked-address', `${written} ended as ${ended}, not as blocked-address`);
  });
}

const privateLinks = ({ canary: { port } }: World): readonly string[] => [
  'http://10.0.0.1/',
  `http://127.0.0.1:${port}/`,
  'http://169.254.169.254/',
  `http://[::1]:${port}/`,
  'http://[fd00::1]/',
  `http://0:${port}/`,
  `http://0x7f.1:${port}/a`,
  `http://2130706433:${port}/b`,
  `http://①②⑦.0.0.1:${port}/c`,
  `http://127.0.0.1.:${port}/d`,
];

const transitionLinks = ({ canary: { port } }: World): readonly string[] => [
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://[64:ff9b::7f00:1]:${port}/`,
  `http://[2002:7f00:1::]:${port}/`,
  `http://[::127.0.0.1]:${port}/`,
];

const differentialLinks = ({ canary: { port } }: World): readonly string[] => [
  `http://127.0.0.1:${port}\\@127.0.0.2/`,
  `http://127.0.0.1:&#9;${port}/tab`,
  `ht&#10;tp://127.0.0.1:${port}/line`,
  `http:/\\/\\127.0.0.1:${port}/slashes`,
  `http:127.0.0.1:${port}/none`,
];

const SCHEMES = [
  'file:///etc/passwd',
  'view-source:http://127.0.0.1/',
  'chrome://version',
  'chrome://gpu',
  'devtools://devtools/bundled/inspector.html',
  'about:blank',
  'filesystem:http://127.0.0.1/temporary/x',
];
const SCHEME_PAGES = Object.fromEntries(
  SCHEMES.flatMap((url, index) => [
    [`/refresh-${index}`, `<!doctype html><title>r</title><meta http-equiv=refresh content="0;url=${url}"><p>refresh`],
    [`/location-${index}`, scripted(`location.href=${JSON.stringify(url)}`)],
  ]),
);

/** No line of pages.jsonl names another scheme than http or https. */
const onlyHttp = ({ pages }: Crawled): readonly string[] =>
  pages.flatMap(({ url, finalUrl, outcome }) =>
    // for a redirect finalUrl is its target
    must(
      [url, outcome === 'redirected' ? url : finalUrl].every((each) => /^https?:\/\//.test(each)),
      `visited ${url}, which led to ${finalUrl}`,
    ),
  );

const vector = (path: string, { canary }: World): Route => {
  const { status, headers, body } = serveVectors(path, { httpPort: canary.port, udpPort: canary.udpPort });
  return (_request, response) => response.writeHead(status, headers).end(body);
};

export const EGRESS_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'F01',
    attack: 'links to private addresses in ten spellings',
    routes: (world) => ({ '/hostile': linking(privateLinks(world)) }),
    flags: () => ANYWHERE,
    also: (crawled) => blocked(crawled, privateLinks(crawled.world)),
    quick: true,
  },
  {
    id: 'F02',
    attack: 'loopback as IPv6 transition addresses',
    routes: (world) => ({ '/hostile': linking(transitionLinks(world)) }),
    flags: () => ANYWHERE,
    also: (crawled) => blocked(crawled, transitionLinks(crawled.world)),
  },
  {
    id: 'F03',
    attack: 'names that lead to private addresses, alone and beside one that is granted',
    // resolved by a name server of the suite: loopback stands for the public address
    routes: ({ canary, site }) => ({
      '/hostile': linking([`http://inside.example:${canary.port}/`, `http://mixed.example:${site.port}/`]),
    }),
    flags: () => ANYWHERE,
    variables: ({ disposal }) =>
      nameServer(disposal, (name) => (name === 'mixed.example' ? ['127.0.0.1', '10.0.0.1'] : ['127.0.0.1'])),
    also: (crawled) =>
      blocked(crawled, [
        `http://inside.example:${crawled.world.canary.port}/`,
        `http://mixed.example:${crawled.world.site.port}/`,
      ]),
  },
  {
    id: 'F04',
    attack: 'a name that is another address at each look-up (DNS rebinding)',
    routes: ({ canary }) => ({ '/hostile': linking([`http://rebound.example:${canary.port}/`]) }),
    flags: () => ANYWHERE,
    variables: ({ disposal }) => {
      let asked = 0;
      // the first answer is an address without a listener, which is private as well: both must be refused
      return nameServer(disposal, () => [(asked++ & 1) === 0 ? '127.0.0.9' : '127.0.0.1']);
    },
    also: (crawled) => blocked(crawled, [`http://rebound.example:${crawled.world.canary.port}/`]),
  },
  {
    id: 'F05',
    attack: 'redirects to a private address: five statuses, and after ten hops',
    paths: ['/301', '/302', '/303', '/307', '/308', '/hop-10'],
    routes: ({ canary }) => ({
      ...Object.fromEntries(
        [301, 302, 303, 307, 308].map((status) => [
          `/${status}`,
          redirect(`http://127.0.0.1:${canary.port}/${status}`, status),
        ]),
      ),
      ...Object.fromEntries(Array.from({ length: 9 }, (_, hop) => [`/hop-${hop + 2}`, redirect(`/hop-${hop + 1}`)])),
      '/hop-1': redirect(`http://127.0.0.1:${canary.port}/hop`),
    }),
    ends: {
      '/301': 'redirected',
      '/302': 'redirected',
      '/303': 'redirected',
      '/307': 'redirected',
      '/308': 'redirected',
    },
    flags: () => ANYWHERE,
    also: (crawled) => blocked(crawled, [`http://127.0.0.1:${crawled.world.canary.port}/301`]),
  },
  {
    id: 'F06',
    attack: 'all 44 ways in which a page makes its browser connect',
    paths: ['/hostile', '/meta', '/location', '/csp'],
    routes: (world) => ({
      '/hostile': vector('/', world),
      ...Object.fromEntries(
        ['/meta', '/location', '/csp', '/worker.js', '/shared-worker.js', '/service-worker.js'].map((path) => [
          path,
          vector(path, world),
        ]),
      ),
      '*': (request, response) => {
        const { status, headers, body } = serveVectors(request.url ?? '/', { httpPort: world.canary.port, udpPort: 0 });
        response.writeHead(status, headers).end(body);
      },
    }),
    ends: { '/hostile': 'captured' },
  },
  {
    id: 'F07',
    attack: 'WebRTC, WebTransport, and sockets out of a worker',
    routes: ({ canary: { port, udpPort } }) => ({
      '/hostile': scripted(`
        for (const scheme of ['stun', 'turn']) try {
          const peer = new RTCPeerConnection({ iceServers: [{ urls: scheme + ':127.0.0.1:${udpPort}', username: 'u', credential: 'c' }] });
          peer.createDataChannel('c'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        } catch {}
        try { new WebTransport('https://127.0.0.1:${udpPort}/') } catch {}
        const code = "try{new WebSocket('ws://127.0.0.1:${port}/w')}catch{};fetch('http://127.0.0.1:${port}/f',{mode:'no-cors'}).catch(()=>{})";
        new Worker(URL.createObjectURL(new Blob([code])));`),
    }),
  },
  {
    id: 'F08',
    attack: 'URLs in which parsers see different hosts',
    routes: (world) => ({ '/hostile': linking(differentialLinks(world)) }),
    flags: () => ANYWHERE,
  },
  {
    id: 'F09',
    attack: 'file:, view-source:, chrome:, devtools: … as link, redirect, refresh and location',
    paths: ['/hostile', ...Object.keys(SCHEME_PAGES), '/redirect'],
    routes: () => ({ '/hostile': linking(SCHEMES), ...SCHEME_PAGES, '/redirect': redirect('file:///etc/passwd') }),
    ends: { '/hostile': 'captured', '/redirect': 'redirected', '/location-0': 'captured' },
    also: (crawled) => [
      ...onlyHttp(crawled),
      ...['file:///etc/passwd', 'chrome://gpu'].flatMap((url) =>
        must(
          crawled.skipped.some((each) => each.url.startsWith(url) && each.reason === 'unsupported-scheme'),
          `${url} is not recorded as unsupported-scheme`,
        ),
      ),
    ],
  },
  {
    id: 'F10',
    attack: 'data:, blob: and javascript: as links and frames',
    routes: () => ({
      '/hostile': scripted(
        `const b=URL.createObjectURL(new Blob(['<a href=/from-blob>b</a>'],{type:'text/html'}));
         for(const u of [b,'data:text/html,<a href=/d>d</a>','javascript:"<a href=/j>j</a>"']){
           const a=document.createElement('a');a.href=u;a.text='x';const f=document.createElement('iframe');f.src=u;document.body.append(a,f)}`,
      ),
    }),
    also: onlyHttp,
  },
  {
    id: 'F11',
    attack: 'links to other programs: intent:, market:, mailto:, tel: …',
    routes: () => ({
      '/hostile': linking([
        'intent://x#Intent;scheme=x;end',
        'itms-apps://x',
        'market://x',
        'mailto:a@b.c',
        'tel:1',
        'tg:x',
      ]),
    }),
    also: onlyHttp,
  },
  {
    id: 'F12',
    attack: 'a redirect into an app store',
    routes: () => ({ '/hostile': redirect('itms-apps://apps.example/app') }),
    ends: { '/hostile': 'redirected' },
    also: (crawled) => [
      ...onlyHttp(crawled),
      ...must(
        crawled.skipped.some(({ url, reason }) => url.startsWith('itms-apps:') && reason === 'unsupported-scheme'),
        'its target is not recorded as unsupported-scheme',
      ),
    ],
    quick: true,
  },
  {
    id: 'F13',
    attack: 'a thousand frames, each of which frames itself',
    routes: () => ({
      '/hostile': linking([]) + Array.from({ length: 1000 }, (_, n) => `<iframe src="/frame?${n}"></iframe>`).join(''),
      '*': `<!doctype html><title>f</title><iframe src="/frame?a"></iframe><iframe src="/frame?b"></iframe>`,
    }),
    flags: () => ['--exclude', '/frame'],
    ends: { '/hostile': ['captured', 'timed-out', 'crashed'] },
    also: ({ world }) => {
      const frames = world.site.asked.filter(({ url }) => url.startsWith('/frame')).length;
      return must(frames <= 500, `${frames} frames were asked for, not at most 500`);
    },
  },
];
