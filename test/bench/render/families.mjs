// The seven kinds of page in the rendering benchmark. A site is `/<family>/<size>/`: an index that lists its `size` pages,
// and pages that link only to each other, so that a crawl ends by itself and visits each page once.

const WORDS =
  'alpha beta gamma delta system value market river stone garden letter window paper morning engine history number signal culture network model season planet bridge ocean method'.split(
    ' ',
  );

/** Random-looking numbers, the same in every run. */
function sequence(seed) {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function sentence(count, next) {
  return Array.from({ length: count }, () => WORDS[Math.floor(next() * WORDS.length)]).join(' ');
}

/** Number of links of each page, from all sources. */
const LINKS = { a: 60, b: 40, c: 30, d: 30, e: 50, f: 40, g: 12 };
export const FAMILIES = Object.keys(LINKS);

/** Targets 3 pages apart from a start of the page's own: distinct if the site has at least three times as many pages as links. */
function target({ family, size }, page, link) {
  return `/${family}/${size}/p/${(page * 7 + link * 3 + 1 + Math.floor((link * 3) / size)) % size}`;
}

/** Paths of the links that a crawler must find on a page. */
export function expectedLinks(site, page) {
  return new Set(Array.from({ length: LINKS[site.family] }, (_, link) => target(site, page, link)));
}

const anchor = (site, page, link) => {
  const path = target(site, page, link);
  return `<a class="l" href="${path}">${WORDS[link % WORDS.length]} ${path}</a>`;
};

const range = (from, to) => Array.from({ length: to - from }, (_, n) => from + n);
const items = (site, page, from, to) =>
  range(from, to)
    .map((link) => `<li>${anchor(site, page, link)}</li>`)
    .join('');
/** Blocks high enough that ten of them do not fit on a screen. */
const blocks = (site, page, from, to) =>
  range(from, to)
    .map((link) => `<div style="height:150px">${anchor(site, page, link)}</div>`)
    .join('');

const document = ({ family }, page, body, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${family} page ${page}</title>` +
  `<meta name="description" content="Page ${page} of family ${family}">${head}</head><body>${body}</body></html>`;

const list = (html) => `<ul id="list">${html}</ul>`;
const AT_END = "insertAdjacentHTML('beforeend',";

const PAGES = {
  /** Static: 60 links in a long text, no script. */
  a: (site, page) => {
    const next = sequence(page);
    const text = range(0, LINKS.a).map((link) => `<p>${anchor(site, page, link)} ${sentence(62, next)}</p>`);
    return document(site, page, `<h1>Static ${page}</h1>${text.join('')}`);
  },
  /** A client-rendered application: some 400 KB of scripts, an API that takes 30 ms, links made by React. */
  b: (site, page) =>
    document(site, page, '<div id="root"></div><script src="/b/vendor.js"></script><script src="/b/app.js"></script>'),
  /** Links that appear 0.8 s and 2 s after the page. */
  c: (site, page) => {
    const late = JSON.stringify([items(site, page, 10, 20), items(site, page, 20, 30)]);
    const script =
      `const list=document.getElementById('list'),late=${late};` +
      `setTimeout(()=>list.${AT_END}late[0]),800);setTimeout(()=>list.${AT_END}late[1]),2000)`;
    return document(site, page, `<h1>Delayed ${page}</h1>${list(items(site, page, 0, 10))}<script>${script}</script>`);
  },
  /** Never quiet: a poll every 300 ms, whose first answer brings ten links, an event stream and a socket. */
  d: (site, page) => {
    const script =
      `const list=document.getElementById('list'),told=document.getElementById('told');let asked=0;` +
      `async function poll(){const answer=await(await fetch('/api/d/${site.size}/${page}?n='+asked++)).json();` +
      `if(answer.html)list.${AT_END}answer.html);told.textContent=answer.told;setTimeout(poll,300)}poll();` +
      `new EventSource('/api/events').onmessage=event=>{document.title='d page ${page} '+event.data};` +
      `new WebSocket('ws://'+location.host+'/socket').onmessage=event=>{told.dataset.socket=event.data}`;
    return document(
      site,
      page,
      `<h1>Chatty ${page}</h1>${list(items(site, page, 0, 20))}<div id="told"></div><script>${script}</script>`,
    );
  },
  /** Heavy: 60 pictures (40 of them its own), four style sheets, three fonts, a grid and a table of 960 cells. */
  e: (site, page) => {
    const next = sequence(page);
    const head = range(0, 4).map((sheet) => `<link rel="stylesheet" href="/e/style${sheet}.css">`);
    const cards = range(0, 60).map(
      (card) =>
        `<div class="c${card % 4}-${card}"><img src="/e/picture/${card < 20 ? 's' : page}-${card}.png" width="160" height="100" alt="">` +
        `<h2>${sentence(4, next)}</h2><div class="x${card % 7}"><div>${sentence(12, next)}</div><div>${sentence(12, next)}</div></div></div>`,
    );
    const rows = range(0, 120).map(
      (row) =>
        `<tr>${range(0, 8)
          .map((cell) => `<td class="c${cell % 4}-${row}">${sentence(2, next)}</td>`)
          .join('')}</tr>`,
    );
    return document(
      site,
      page,
      `<h1>Heavy ${page}</h1><nav>${list(items(site, page, 0, 50))}</nav><div class="grid">${cards.join('')}</div><table>${rows.join('')}</table>`,
      head.join(''),
    );
  },
  /** Infinite scroll: three further batches of ten links, each when the end of the page scrolls into view. */
  f: (site, page) => {
    const script =
      `const list=document.getElementById('list');let batch=1,busy=false;new IntersectionObserver(async seen=>{` +
      `if(!seen.some(one=>one.isIntersecting)||busy||batch>3)return;busy=true;` +
      `const answer=await fetch('/api/f/${site.size}/${page}?batch='+batch++);list.${AT_END}await answer.text());busy=false})` +
      `.observe(document.getElementById('end'))`;
    const body = `<div id="list">${blocks(site, page, 0, 10)}</div><div id="end" style="height:40px">more</div>`;
    return document(site, page, `<h1>Scroll ${page}</h1>${body}<script>${script}</script>`);
  },
  /** A shop: a script, one small JSON with figures, a list of links. */
  g: (site, page) =>
    document(site, page, '<div id="shop">Loading</div><script type="module" src="/g/shop.js"></script>'),
};

/** The script of family g: fetches the figures of its product, and shows them with links to others. */
export const SHOP_SCRIPT = `
const [, , size, , page] = location.pathname.split('/');
const answer = await (await fetch('/api/g/' + size + '/' + page)).json();
const make = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text }, more);
document.title = answer.name;
const shop = document.getElementById('shop');
shop.replaceChildren(make('h1', answer.name), make('p', answer.about), make('p', answer.price + ' EUR, ' + answer.stock + ' in stock'));
const list = make('ul', '');
for (const { name, path } of answer.others) {
  const item = make('li', '');
  item.append(make('a', name, { href: path }));
  list.append(item);
}
shop.append(list);
`;

export const pageOf = (site, page) => PAGES[site.family](site, page);

/** The start page of a crawl: lists all pages of a site. */
export function indexOf({ family, size }) {
  const links = range(0, size).map((page) => `<li><a href="/${family}/${size}/p/${page}">page ${page}</a></li>`);
  return `<!doctype html><title>index of ${family}</title><ul>${links.join('')}</ul>`;
}

/** The answer to a page's script: type, body and delay; null for other requests. */
export function apiAnswer(path, query) {
  const [, , family, sizeText, pageText] = path.split('/');
  const site = { family, size: Number(sizeText) };
  const page = Number(pageText);
  switch (family) {
    case 'b': {
      const next = sequence(page);
      const links = range(0, LINKS.b).map((link) => ({
        href: target(site, page, link),
        text: `${WORDS[link % WORDS.length]} ${target(site, page, link)}`,
        about: sentence(20, next),
        html: `<b>${sentence(3, next)}</b><i>x</i>`,
      }));
      return { type: 'application/json', delay: 30, body: JSON.stringify({ title: `b page ${page}`, links }) };
    }
    case 'd': {
      const html = query.get('n') === '0' ? items(site, page, 20, 30) : '';
      return { type: 'application/json', delay: 20, body: JSON.stringify({ told: query.get('n'), html }) };
    }
    case 'g': {
      const next = sequence(page);
      const others = range(0, LINKS.g).map((link) => ({
        name: `${sentence(2, next)} ${link}`,
        path: target(site, page, link),
      }));
      const figures = { price: Math.round(next() * 10_000) / 100, stock: Math.floor(next() * 90) };
      const body = { name: `g page ${page}`, about: sentence(40, next), ...figures, others };
      return { type: 'application/json', delay: 0, body: JSON.stringify(body) };
    }
    case 'f': {
      const batch = Number(query.get('batch'));
      return { type: 'text/html', delay: 30, body: blocks(site, page, batch * 10, batch * 10 + 10) };
    }
    default:
      return null;
  }
}
