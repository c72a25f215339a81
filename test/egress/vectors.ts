/**
 * The ways in which a page can make its browser open a connection (design/reliability, "Egress"). Each requests a path of its own
 * from the canary, so that a hit names its way. A page of origin `site.localhost` is a secure context.
 */
export interface Canary {
  readonly httpPort: number;
  readonly udpPort: number;
}

export const SITE = 'site.localhost';

export interface Served {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The site's answer for a path. */
export function serveVectors(path: string, canary: Canary): Served {
  const at = (name: string): string => `http://127.0.0.1:${canary.httpPort}/${name}`;
  const html = (body: string, headers: Readonly<Record<string, string>> = {}): Served => ({
    status: 200,
    headers: { 'content-type': 'text/html', ...headers },
    body,
  });
  const script = (body: string): Served => ({ status: 200, headers: { 'content-type': 'text/javascript' }, body });
  if (path.startsWith('/to/')) {
    return { status: 302, headers: { location: at(path.slice(4)), 'access-control-allow-origin': '*' }, body: '' };
  }
  switch (path) {
    case '/':
      return html(page(at, canary), { link: `<${at('link-header')}>; rel=preload; as=image` });
    case '/meta':
      return html(`<meta http-equiv=refresh content="0;url=${at('meta-refresh')}">`);
    case '/location':
      return html(`<script>location.href = '${at('location')}'</script>`);
    case '/csp':
      return html('<script>1</script>', {
        'content-security-policy': `script-src 'none'; report-uri ${at('csp-report')}`,
      });
    case '/worker.js':
      return script(`
        fetch('${at('worker-fetch')}', { mode: 'no-cors' }).catch(() => {});
        try { new WebSocket('${at('worker-socket').replace('http', 'ws')}') } catch {}
        try { new EventSource('${at('worker-events')}') } catch {}
        try { importScripts('${at('worker-import')}') } catch {}`);
    case '/shared-worker.js':
      return script(`fetch('${at('shared-worker-fetch')}', { mode: 'no-cors' }).catch(() => {});
        try { importScripts('${at('shared-worker-import')}') } catch {}`);
    case '/service-worker.js':
      return script(`self.addEventListener('install', (event) => event.waitUntil(Promise.allSettled([
        fetch('${at('service-worker-fetch')}', { mode: 'no-cors' }),
        fetch('/to/service-worker-redirect', { mode: 'no-cors' }),
      ])));`);
    case '/service-worker-import.js':
      return script(`importScripts('${at('service-worker-import')}')`);
    default:
      return { status: 404, headers: {}, body: '' };
  }
}

function page(at: (name: string) => string, canary: Canary): string {
  return `<!doctype html><title>vectors</title>
<link rel=stylesheet href="${at('stylesheet')}">
<link rel=prefetch href="${at('prefetch')}">
<link rel=preload as=style href="${at('preload')}">
<link rel=modulepreload href="${at('modulepreload')}">
<link rel=manifest href="${at('manifest')}">
<link rel=icon href="${at('icon')}">
<style>
  @import url("${at('css-import')}");
  @font-face { font-family: far; src: url("${at('font')}"); }
  p { font-family: far; background-image: url("${at('background')}"); cursor: url("${at('cursor')}"), auto; }
  p::before { content: url("${at('css-content')}"); }
</style>
<script type=speculationrules>{"prefetch":[{"source":"list","urls":["/to/speculation-redirect","${at('speculation')}"]}]}</script>
<script async src="${at('script')}"></script>
<script type=module src="${at('module')}"></script>
<p>text in a font from afar</p>
<img src="${at('image')}">
<img src="/to/image-redirect">
<picture><source srcset="${at('srcset')}"><img></picture>
<svg width=10 height=10><image href="${at('svg-image')}" width=10 height=10 /></svg>
<input type=image src="${at('input-image')}">
<video src="${at('video')}" poster="${at('poster')}" preload=auto></video>
<video src="/to/video-redirect" preload=auto></video>
<audio src="${at('audio')}" preload=auto></audio>
<object data="${at('object')}"></object>
<embed src="${at('embed')}">
<iframe src="${at('frame')}"></iframe>
<iframe src="/to/frame-redirect"></iframe>
<iframe srcdoc="<img src='${at('srcdoc-image')}'>"></iframe>
<iframe src="data:text/html,<img src='${at('data-frame-image')}'>"></iframe>
<iframe src="/meta"></iframe>
<iframe src="/location"></iframe>
<iframe src="/csp"></iframe>
<iframe name=form-target></iframe>
<form id=form action="${at('form')}" method=post target=form-target><input name=a value=b></form>
<a id=ping href="#here" ping="${at('ping')}">ping</a>
<script>
  const quiet = (start) => { try { return Promise.resolve(start()).catch(() => {}) } catch { return Promise.resolve() } };
  const ended = (target, ...events) => new Promise((resolve) => {
    for (const event of events) target.addEventListener(event, resolve);
    setTimeout(resolve, 4000);
  });
  const request = new XMLHttpRequest();
  const fired = [
    quiet(() => fetch('${at('fetch')}', { mode: 'no-cors' })),
    quiet(() => fetch('/to/fetch-redirect', { mode: 'no-cors' })),
    quiet(() => fetch('${at('keepalive')}', { mode: 'no-cors', keepalive: true })),
    quiet(() => fetch('${at('preflight')}', { method: 'PUT', headers: { 'x-own': '1' } })),
    quiet(() => fetch('${at('other-spelling').replace('127.0.0.1', '0x7f.1')}', { mode: 'no-cors' })),
    quiet(() => fetch('${at('mapped').replace('127.0.0.1', '[::ffff:127.0.0.1]')}', { mode: 'no-cors' })),
    quiet(() => fetch('${at('zero').replace('127.0.0.1', '0')}', { mode: 'no-cors' })),
    quiet(() => { request.open('GET', '${at('xhr')}'); request.send(); return ended(request, 'loadend'); }),
    quiet(() => navigator.sendBeacon('${at('beacon')}', 'x')),
    quiet(() => ended(new EventSource('${at('events')}'), 'error')),
    quiet(() => ended(new WebSocket('${at('socket').replace('http', 'ws')}'), 'error', 'open')),
    quiet(() => import('${at('dynamic-import')}')),
    quiet(() => CSS.paintWorklet.addModule('${at('worklet')}')),
    quiet(() => new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('${at('audio-worklet')}')),
    quiet(() => new Worker('/worker.js')),
    quiet(() => new Worker(URL.createObjectURL(new Blob(["fetch('${at('blob-worker')}', {mode:'no-cors'})"])))),
    quiet(() => new SharedWorker('/shared-worker.js')),
    quiet(() => navigator.serviceWorker.register('/service-worker.js')),
    quiet(() => navigator.serviceWorker.register('/service-worker-import.js', { scope: '/other/' })),
    quiet(() => window.open('${at('popup')}')),
    quiet(() => window.open('/to/popup-redirect')),
    quiet(() => document.getElementById('form').submit()),
    quiet(() => document.getElementById('ping').click()),
    quiet(async () => {
      const peer = new RTCPeerConnection({ iceServers: [
        { urls: 'stun:127.0.0.1:${canary.udpPort}' },
        { urls: 'turn:127.0.0.1:${canary.udpPort}', username: 'u', credential: 'c' },
        { urls: 'turn:127.0.0.1:${canary.httpPort}?transport=tcp', username: 'u', credential: 'c' },
      ] });
      peer.createDataChannel('x');
      await peer.setLocalDescription(await peer.createOffer());
      await ended(peer, 'icegatheringstatechange');
    }),
    quiet(() => new WebTransport('https://127.0.0.1:${canary.udpPort}/').ready),
    quiet(() => ended(window, 'load')),
  ];
  Promise.all(fired).then(() => document.documentElement.setAttribute('data-fired', 'all'));
</script>`;
}
