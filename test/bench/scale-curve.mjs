// Draws docs/pictures/scale.svg: pages a second by cores of workers, from the cost of a page in each process, and the limits of one Redis and one
// controller. `test/bench/workers.mjs` measured the costs; change them here after a new run. Usage: node test/bench/scale-curve.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Milliseconds of one core a page: RESULTS.md, "One crawl by many processes" and "A rendered page in a whole crawl". */
const COST = { redis: 1.05, controller: 1.15 };
const WORKERS = [
  { name: 'not rendered (2.8 ms of a worker’s core a page)', ms: 2.8, color: '#0b6e4f' },
  { name: 'rendered where it pays (13 ms)', ms: 13, color: '#1d4e89' },
  { name: 'rendered, simple pages (66 ms)', ms: 66, color: '#9a5b00' },
  { name: 'rendered, heavy pages (255 ms)', ms: 255, color: '#8c1c13' },
];
const CEILINGS = [
  { name: 'one controller', perSecond: 1000 / COST.controller },
  { name: 'one Redis', perSecond: 1000 / COST.redis },
  { name: 'three Redis nodes', perSecond: 3000 / COST.redis },
];
const [WIDTH, HEIGHT] = [860, 520];
const PLOT = { left: 78, top: 56, right: 600, bottom: 448 };
const CORES = [1, 512];
const RATE = [1, 10_000];

const scale = ([from, to], [start, end]) => {
  const [a, b] = [Math.log10(from), Math.log10(to)];
  return (value) => start + ((Math.log10(value) - a) / (b - a)) * (end - start);
};
const x = scale(CORES, [PLOT.left, PLOT.right]);
const y = scale(RATE, [PLOT.bottom, PLOT.top]);
const at = (value) => value.toFixed(1);
const text = (tx, ty, words, more = '') => `<text x="${at(tx)}" y="${at(ty)}" ${more}>${words}</text>`;
const line = (x1, y1, x2, y2, more) => `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" ${more}/>`;

const least = Math.min(...CEILINGS.map(({ perSecond }) => perSecond));
const parts = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" role="img" aria-label="Pages a second by cores of workers">`,
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
  text(
    PLOT.left,
    28,
    'Pages a second by cores of workers, calculated from measured costs',
    'font-size="16" font-weight="bold"',
  ),
];
for (const cores of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]) {
  parts.push(line(x(cores), PLOT.top, x(cores), PLOT.bottom, 'stroke="#e4e4e4"'));
  parts.push(text(x(cores), PLOT.bottom + 20, cores, 'text-anchor="middle"'));
}
for (const rate of [1, 10, 100, 1000, 10_000]) {
  parts.push(line(PLOT.left, y(rate), PLOT.right, y(rate), 'stroke="#e4e4e4"'));
  parts.push(text(PLOT.left - 8, y(rate) + 4, rate.toLocaleString('en'), 'text-anchor="end"'));
}
parts.push(text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 44, 'cores of workers', 'text-anchor="middle"'));
parts.push(
  text(
    22,
    (PLOT.top + PLOT.bottom) / 2,
    'pages a second',
    `text-anchor="middle" transform="rotate(-90 22 ${(PLOT.top + PLOT.bottom) / 2})"`,
  ),
);
for (const { name, perSecond } of CEILINGS) {
  parts.push(line(PLOT.left, y(perSecond), PLOT.right, y(perSecond), 'stroke="#666" stroke-dasharray="5 4"'));
  const below = name === 'one controller';
  parts.push(text(PLOT.right + 8, y(perSecond) + (below ? 15 : 0), `${name}: ${Math.round(perSecond)}`, 'fill="#444"'));
}
for (const [index, { name, ms, color }] of WORKERS.entries()) {
  const full = Math.min(CORES[1], (least * ms) / 1000);
  const points = [
    [CORES[0], 1000 / ms],
    [full, (full * 1000) / ms],
    [CORES[1], Math.min(least, (CORES[1] * 1000) / ms)],
  ];
  parts.push(
    `<polyline fill="none" stroke="${color}" stroke-width="2.5" points="${points.map(([cores, rate]) => `${at(x(cores))},${at(y(rate))}`).join(' ')}"/>`,
  );
  if (full < CORES[1]) {
    parts.push(`<circle cx="${at(x(full))}" cy="${at(y(least))}" r="4" fill="${color}"/>`);
    parts.push(text(x(full), y(least) - 34, Math.round(full), `text-anchor="middle" fill="${color}"`));
  }
  const top = 250 + index * 48;
  parts.push(line(PLOT.right + 10, top - 4, PLOT.right + 34, top - 4, `stroke="${color}" stroke-width="2.5"`));
  const [words, cost] = name.split(' (');
  parts.push(text(PLOT.right + 40, top, words));
  parts.push(
    text(PLOT.right + 40, top + 16, `(${cost.replace('of a worker’s core a page', 'of a core a page')}`, 'fill="#666"'),
  );
}
parts.push('</svg>', '');
writeFileSync(fileURLToPath(new URL('../../docs/pictures/scale.svg', import.meta.url)), parts.join('\n'));
