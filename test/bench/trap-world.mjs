// Generates a site with good pages of many kinds, and traps in its navigation: calendar, filters, sessions in path and query, repeating
// paths, and an answer to every request. The same options make the same site. trap-world.d.mts describes it.

/** Shares of the good pages; the rest are articles. */
const SHARES = { glossary: 0.2, gallery: 0.14, parts: 0.24, releases: 0.03 };
const ARTICLES_A_PAGE = 20;
const PARTS_A_PAGE = 25;
const MONTHS_BACK = 36;
/** Thumbnails on the gallery page: the other pictures are linked only from their neighbours. */
const THUMBNAILS = 6;
const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
    ' ',
  );
const COLOURS = ['red', 'blue', 'green', 'white', 'black', 'grey'];
const SIZES = ['s', 'm', 'l', 'xl'];
const SORTS = ['price', 'name', 'newest', 'rating'];
const NAMES = 'January February March April May June July August September October November December'.split(' ');

export function trapWorld({ pages, seed = 1, echoes = true }) {
  const good = new Map();
  const share = (part) => Math.round(pages * part);
  const parts = share(SHARES.parts);
  addGlossary(good, share(SHARES.glossary), seed);
  addGallery(good, share(SHARES.gallery), seed);
  addParts(good, parts, seed);
  addReleases(good, share(SHARES.releases), seed);
  good.set('/about', page('About', `<p>${prose(seed, 'about', 90)}</p>`));
  // the rest: the home page, months, lists of articles, and the articles
  const left = pages - good.size - 1 - MONTHS_BACK;
  const articles = left - Math.ceil(left / (ARTICLES_A_PAGE + 1));
  addArticles(good, articles, left - articles, seed);
  good.set(
    '/',
    page(
      'Home',
      `<p>${prose(seed, 'home', 60)}</p>${links(['/about', '/articles', '/parts', '/gallery', '/glossary', '/releases', `/archive/${month(0)}`])}`,
    ),
  );
  return { good: [...good.keys()], answer: (target) => answer(target, good, { seed, echoes }) };
}

function answer(target, good, { seed, echoes }) {
  const [path, query = ''] = target.split('?');
  const html = (body, status = 200) => ({ status, type: 'text/html; charset=utf-8', body });
  if (path === '/robots.txt') return html('', 404);
  if (/^\/pictures\/\d+\.png$/.test(path)) return { status: 200, type: 'image/png', body: '' };
  const body = good.get(target) ?? trap(path, new URLSearchParams(query), good, seed);
  if (body !== undefined) return html(body);
  return echoes ? html(echo(target)) : html(page('Not found', '<p>There is no such page.</p>'), 404);
}

// the good pages

function addArticles(good, count, lists, seed) {
  const slugs = Array.from(
    { length: count },
    (_, at) => `/article/${word(seed, `slug${at}`)}-${word(seed, `slug${at}b`)}-${at}`,
  );
  for (const [at, slug] of slugs.entries()) {
    const near = [slugs[(at * 7 + 3) % count], slugs[(at * 3 + 11) % count]];
    good.set(slug, page(`On ${word(seed, `title${at}`)}`, paragraphs(seed, `article${at}`, 3) + links(near)));
  }
  for (let list = 0; list < lists; list += 1) {
    const some = slugs.filter((_, at) => at % lists === list);
    const next = list + 1 < lists ? links([`/articles?page=${list + 2}`]) : '';
    good.set(
      list === 0 ? '/articles' : `/articles?page=${list + 1}`,
      page(`Articles, page ${list + 1}`, links(some) + next),
    );
  }
  for (let back = 0; back < MONTHS_BACK; back += 1) {
    const some = slugs.filter((_, at) => at % MONTHS_BACK === back).slice(0, 8);
    const next = back + 1 < MONTHS_BACK ? links([`/archive/${month(back + 1)}`]) : '';
    good.set(`/archive/${month(back)}`, page(`Archive of ${month(back)}`, links(some) + next));
  }
}

function addGlossary(good, count, seed) {
  const names = Array.from(
    { length: count - 1 },
    (_, at) => `/glossary/${word(seed, `term${at}`)}${word(seed, `term${at}b`)}`,
  );
  for (const [at, name] of names.entries()) {
    good.set(
      name,
      page(name.slice(10), `<p>${prose(seed, `definition${at}`, 7)}.</p>${links([names[(at + 1) % names.length]])}`),
    );
  }
  good.set('/glossary', page('Glossary', links(names)));
}

/** Picture pages have no words but a number; all but the first ones are linked only from their neighbours. */
function addGallery(good, count, seed) {
  const last = count - 1;
  for (let at = 1; at <= last; at += 1) {
    const ways = [at > 1 ? `/picture/${at - 1}` : null, at < last ? `/picture/${at + 1}` : null].filter(Boolean);
    good.set(
      `/picture/${at}`,
      page(`Picture ${at}`, `<img src="/pictures/${at * 17 + seed}.png" alt="">${links(ways)}`),
    );
  }
  good.set(
    '/gallery',
    page('Gallery', links(Array.from({ length: Math.min(THUMBNAILS, last) }, (_, at) => `/picture/${at + 1}`))),
  );
}

/** Part pages have a name of few words, a number and a price; each links to similar ones. */
function addParts(good, count, seed) {
  const lists = Math.ceil(count / (PARTS_A_PAGE + 1));
  const numbers = Array.from({ length: count - lists }, (_, at) => 1000 + at * 3);
  for (const [at, number] of numbers.entries()) {
    const like = [7, 31, 83].map((step) => `/part/${numbers[(at * step + step) % numbers.length]}`);
    const text = `<h2>Part ${number}</h2><p>${pick(seed, at, ['zinc', 'steel', 'brass'])} ${pick(seed, at + 7, ['bolt', 'nut', 'washer'])}, ${at % 40} mm</p><p>Price: ${number % 97}.${10 + (at % 80)}</p>`;
    good.set(`/part/${number}`, page(`Part ${number}`, text + links(like)));
  }
  for (let list = 0; list < lists; list += 1) {
    const some = numbers.slice(list * PARTS_A_PAGE, (list + 1) * PARTS_A_PAGE).map((number) => `/part/${number}`);
    const next = list + 1 < lists ? links([`/parts?page=${list + 2}`]) : '';
    good.set(list === 0 ? '/parts' : `/parts?page=${list + 1}`, page(`Parts, page ${list + 1}`, links(some) + next));
  }
}

function addReleases(good, count, seed) {
  const dates = Array.from(
    { length: count - 1 },
    (_, at) => `/release/${2012 + Math.floor(at / 12)}/${String(1 + (at % 12)).padStart(2, '0')}/`,
  );
  for (const [at, path] of dates.entries()) {
    const next = at + 1 < dates.length ? links([dates[at + 1]]) : '';
    good.set(
      path,
      page(
        `Release of ${path.slice(9, -1)}`,
        `<ul><li>${prose(seed, `fix${at}`, 6)}<li>${prose(seed, `fix${at}b`, 6)}</ul>${next}`,
      ),
    );
  }
  good.set('/releases', page('Releases', links(dates.slice(0, 2))));
}

// the traps

function trap(path, query, good, seed) {
  const [, year, monthNumber, day] = /^\/calendar\/(\d{1,4})\/(\d\d)\/(?:(\d\d)\/)?$/.exec(path) ?? [];
  if (year !== undefined) return calendar(Number(year), Number(monthNumber), day, seed);
  if (path === '/shop') return shop(query);
  const [, session, rest] = /^\/s\/([0-9a-z]+)(\/.*)$/.exec(path) ?? [];
  if (session !== undefined && good.has(rest)) return inSession(good.get(rest), session);
  if (query.has('zid') && good.has(path)) return inSession(good.get(path), query.get('zid'));
  if (path.startsWith('/old/'))
    return page('Old pages', '<p>They have moved.</p><a href="a/b/">Deeper</a> <a href="b/a/">Elsewhere</a>');
  return undefined;
}

function calendar(year, monthNumber, day, seed) {
  const step = (months) => {
    const at = year * 12 + monthNumber - 1 + months;
    return `/calendar/${String(Math.floor(at / 12)).padStart(4, '0')}/${String((at % 12) + 1).padStart(2, '0')}/`;
  };
  const name = `${NAMES[monthNumber - 1] ?? ''} ${year}`;
  const hasEvent = year === 2026 && monthNumber > 9;
  const event = hasEvent ? `<p>${prose(seed, `event${monthNumber}${day}`, 6)}</p>` : '<p>No events.</p>';
  if (day !== undefined) return page(`${day} ${name}`, `${event}${links([step(0), step(1)])}`);
  const days = [3, 9, 14, 21, 27].map((number) => `${step(0)}${String(number).padStart(2, '0')}/`);
  return page(name, `${event}${links([step(-1), step(1), step(-12), step(12), ...days])}`);
}

function shop(query) {
  const has = (name, usual) => query.get(name) ?? usual;
  const [colour, size, sort, at] = [
    has('colour', 'red'),
    has('size', 'm'),
    has('sort', 'price'),
    Number(has('page', '1')),
  ];
  const to = (change) => `/shop?${new URLSearchParams({ colour, size, sort, page: '1', ...change })}`;
  const ways = [
    ...COLOURS.map((value) => to({ colour: value })),
    ...SIZES.map((value) => to({ size: value })),
    ...SORTS.map((value) => to({ sort: value })),
    to({ page: String(at + 1) }),
  ];
  const things = ['Kettle', 'Lamp', 'Stool', 'Rug', 'Clock', 'Mirror', 'Shelf', 'Bowl'].filter(
    (_, index) => (index + colour.length + size.length) % 3 > 0,
  );
  return page(
    `${colour} things`,
    `<p>${colour}, ${size}, by ${sort}, page ${at}</p><ul>${things.map((thing) => `<li>${thing}`).join('')}</ul>${links(ways)}`,
  );
}

/** The same page with links that carry another session. */
function inSession(body, session) {
  const next = number(session).toString(36);
  return body.replaceAll(/href="(\/[^"]*)"/g, (_, to) => `href="/s/${next}${to}"`);
}

function echo(target) {
  const name = target.slice(1).replaceAll(/[<>&"]/g, '');
  const ways = [
    `${target}-more`,
    `${target}/again`,
    `/try${number(target) % 100_000}`,
    `/find/${name.slice(-12)}${name.length}`,
  ];
  return page(`No results for ${name}`, `<p>Nothing was found for ${name}. Perhaps one of these?</p>${links(ways)}`);
}

// text

/** A page whose navigation leads into every trap. */
function page(title, body) {
  const ways = [
    '/',
    '/articles',
    '/calendar/2026/11/',
    '/shop?colour=red&size=m&sort=price&page=1',
    '/s/1a/',
    '/about?zid=9z',
    '/old/a/b/',
    '/find/chair',
  ];
  return `<!doctype html><html lang="en"><title>${title}</title><nav>${ways.map((to) => `<a href="${to.replaceAll('&', '&amp;')}">${to.split(/[/?]/)[1] || 'home'}</a>`).join(' ')}</nav><h1>${title}</h1>${body}</html>`;
}

function links(paths) {
  return `<ul>${paths.map((path) => `<li><a href="${path.replaceAll('&', '&amp;')}">${path.split('/').at(-1) || 'more'}</a>`).join('')}</ul>`;
}

function paragraphs(seed, name, count) {
  return Array.from({ length: count }, (_, at) => `<p>${prose(seed, `${name}.${at}`, 60)}</p>`).join('');
}

/** Text of words from a language of some 40,000. */
function prose(seed, name, words) {
  return Array.from({ length: words }, (_, at) => word(seed, `${name} ${at}`)).join(' ');
}

function word(seed, name) {
  let left = number(`${seed} ${name}`);
  const length = 2 + (left % 2);
  let text = '';
  for (let at = 0; at < length; at += 1) {
    text += SYLLABLES[left % SYLLABLES.length];
    left = Math.floor(left / SYLLABLES.length);
  }
  return text;
}

function pick(seed, at, words) {
  return words[number(`${seed}.${at}`) % words.length];
}

function month(back) {
  const at = 2026 * 12 + 9 - back;
  return `${Math.floor(at / 12)}/${String((at % 12) + 1).padStart(2, '0')}`;
}

function number(text) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
