// Measures the size of the HTML report of an audit, and the time to write it, to open it in a browser and to search it.
//
//   node test/bench/report.mjs [pages] [findings] [--pictures <folder>]
//
// Medians of seven openings in a headless Chromium without the first. --pictures also writes the report and its screenshots at three widths,
// in light and dark. The audit is made up (test/support/audit-results.ts).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { installedBrowsers, browserEnvironment } from '../../browsers/browser-places.mjs';
import { importTypeScript } from '../support/import-typescript.mjs';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { pictures: { type: 'string' } } });
const [pages = 5_000, findings = 20_000] = positionals.map(Number);
const root = resolve(import.meta.dirname, '../..');
const { auditOf, reportOf } = await importTypeScript(join(root, 'test/support/audit-results.ts'));
const { REPORTERS } = await importTypeScript(join(root, 'src/report/reporter.ts'));

const median = (all) => all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)];
const report = reportOf(auditOf({ pages, findings }));
for (const [name, { render }] of Object.entries(REPORTERS)) {
  const times = Array.from({ length: 4 }, () => {
    const start = performance.now();
    render(report, '..');
    return performance.now() - start;
  });
  console.log(
    `${name.padEnd(9)} ${render(report, '..').length} characters, written in ${Math.round(median(times))} ms`,
  );
}

const folder = values.pictures ?? mkdtempSync(join(tmpdir(), 'orbweaver-report-'));
mkdirSync(folder, { recursive: true });
const file = join(folder, 'index.html');
writeFileSync(file, REPORTERS.html.render(report, '..'));
const [installed] = installedBrowsers(browserEnvironment(process.env, process.platform, homedir()));
const browser = await chromium.launch({ executablePath: installed.path, chromiumSandbox: process.getuid?.() !== 0 });
try {
  const openings = [];
  for (let count = 0; count < 8; count += 1) openings.push(await open());
  const shown = openings.slice(1);
  const of = (name) => `${Math.round(median(shown.map((each) => each[name])))} ms`;
  console.log(
    `opened: first paint ${of('paint')}, load event ${of('load')}, search ${of('search')} (120 ms of it a pause)`,
  );
  console.log(`load average ${loadavg()[0].toFixed(1)}`);
  if (values.pictures !== undefined) await takePictures();
} finally {
  await browser.close();
  if (values.pictures === undefined) rmSync(folder, { recursive: true });
}

async function open() {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  await page.goto(pathToFileURL(file).href);
  const times = await page.evaluate(async () => {
    const list = document.getElementById('finding-list');
    const input = document.querySelector('#finding-filter input');
    const start = performance.now();
    input.value = 'river';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((done) => {
      new MutationObserver(() => requestAnimationFrame(done)).observe(list, { childList: true });
    });
    return {
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      load: performance.getEntriesByType('navigation')[0].loadEventEnd,
      search: performance.now() - start,
    };
  });
  await page.close();
  return times;
}

async function takePictures() {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [360, 800, 1400]) {
      const page = await browser.newPage({ viewport: { width, height: 1000 }, colorScheme });
      await page.goto(pathToFileURL(file).href);
      await page.screenshot({ path: join(folder, `${width}-${colorScheme}.png`), fullPage: true });
      await page.close();
    }
  }
}
