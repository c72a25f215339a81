/** A site that differs at each visit: scripts make dates, counters, banners, a carousel and lazily loaded pictures. */
import { httpOrigin, type HttpOrigin } from './origin.ts';

const BANNERS = [
  'Boots that last',
  'Tea from the hills',
  'Lamps for long nights',
  'Ropes by the mile',
  'A chair for two',
];
const SLIDES = [
  'Nobody weaves finer, says Ada.',
  'My third loom, and the best one, says Ben.',
  'It came within a day, says Cleo.',
  'The yarn never tears, says Dora.',
  'Worth its price, says Emil.',
];
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><rect width="300" height="80"/></svg>';

/** Runs in the page. Each visit of a page gets another number: chance elsewhere, but no two visits agree here. */
const SCRIPT = `
const show = (id, html) => { document.getElementById(id).innerHTML = html; };
const moment = new Date(Date.UTC(2026, 10, 3 + visit, 8 + visit, 7 * visit));
show('date', 'As of ' + moment.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }));
show('counter', (1204 + 37 * visit) + ' views');
show('guests', ['no', 'one', 'four', 'seven', 'nine'][visit % 5] + ' guests are looking at this page');
const banner = banners[visit % banners.length];
show('banner', '<p>Advertisement</p><a href="https://banners.example/to/' + banner.length + visit + '">' + banner + '</a><img src="/banners/' + visit + '.svg" alt="">');
let slide = visit;
const turn = () => show('slide', slides[slide++ % slides.length]);
turn();
setInterval(turn, 40000);
new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries)
    if (isIntersecting && !target.src) target.src = target.dataset.src + '?t=' + moment.getTime();
}, { rootMargin: '100px' }).observe(document.getElementById('late'));
if (visit % 2 === 0) document.getElementById('seldom').src = '/pictures/seldom.svg';
`;

function page(title: string, text: string, visit: number): string {
  const data = `const visit = ${visit}, banners = ${JSON.stringify(BANNERS)}, slides = ${JSON.stringify(SLIDES)};`;
  return (
    `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>` +
    `<nav><a href="/">Shop</a> <a href="/loom">Loom</a></nav><p id="date"></p><p>Welcome.</p><p id="counter"></p>` +
    `<p>Pull up a chair.</p><p id="guests"></p><p>${text}</p><aside id="banner"></aside><h2>What they say</h2><p id="slide"></p>` +
    `<h2>Looms</h2><p>Each of them is made by hand.</p><img id="late" data-src="/pictures/late.svg" alt="A loom">` +
    `<img id="seldom" alt=""><footer>The guild of weavers</footer><script>${data}${SCRIPT}</script></body></html>`
  );
}

export interface NoisySite extends HttpOrigin {
  /** Changes the real content of /loom, besides the parts that change by themselves. */
  setPrice(price: string): void;
}

export async function noisySite(): Promise<NoisySite> {
  let price = '1200';
  const visits = new Map<string, number>();
  const site = await httpOrigin(({ url = '' }, response) => {
    const [path = ''] = url.split('?', 1);
    if (path.endsWith('.svg')) return response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(PICTURE);
    const visit = (visits.get(path) ?? 0) + 1;
    visits.set(path, visit);
    const isLoom = path === '/loom';
    response.writeHead(isLoom || path === '/' ? 200 : 404, { 'content-type': 'text/html' });
    return response.end(
      page(isLoom ? 'Loom' : 'Shop', isLoom ? `A loom costs ${price} euro.` : 'Looms and yarn.', visit),
    );
  });
  return { ...site, setPrice: (next) => (price = next) };
}
