/** Accessibility by axe-core: one crawl of a site with defects and with hostile pages, one of its repaired twin. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AxeCheck } from '../../src/model/accessibility.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { PageDetails } from '../../src/model/page-details.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { documentOf, prose } from '../support/audited-site.ts';
import { runHere } from '../support/command-here.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin } from '../support/origin.ts';

const PATHS = ['/', '/other', '/forge', '/clobber', '/fading', '/large', '/endless'];
const nav = (button: string): string =>
  `<header>${button}<a href="/">Start</a>${PATHS.slice(1)
    .map((path) => `<a href="${path}">${path}</a>`)
    .join(' ')}</header>`;

/** Pretends to be axe-core where it can, and breaks everything that axe-core might use. */
const FORGER = `
  const nothing = { violations: [], incomplete: [], end: 'done', undecided: 0 };
  window.axe = { run: async () => nothing, configure() {} };
  window.getComputedStyle = () => { throw new Error('no'); };
  Array.prototype.map = () => [];
  JSON.stringify = () => '{"end":"done","violations":[],"undecided":0}';
  Element.prototype.getAttribute = () => 'a name';
  Element.prototype.matches = () => false;
  Object.defineProperty(Object.prototype, 'nodes', { get() { throw new Error('no'); } });
  postMessage(JSON.stringify({ channelId: 'axe.3.2.1', topic: 'axe.start', message: {} }), '*');
  document.addEventListener('DOMContentLoaded', () => {
    const frame = document.createElement('iframe');
    frame.title = 'A frame';
    frame.srcdoc = '<script>parent.postMessage("{\\"topic\\":\\"axe.ping\\"}", "*")</' + 'script>';
    document.body.append(frame);
  });
`;
/** Elements with the names of globals and properties that a library uses. */
const CLOBBERERS =
  '<form id="axe"></form><form id="define"></form><form id="module"><input name="exports" aria-label="e"></form>' +
  '<img name="scrollingElement" alt=""><img name="querySelectorAll" alt=""><img name="createElement" alt="">';

function bodyOf(path: string): string {
  switch (path) {
    case '/':
      return '<img src="/quay.png" width="9" height="9"><p class="pale">The quay is paler than it looks on old maps.</p>';
    case '/forge':
      return `<script>${FORGER}</script>`;
    case '/clobber':
      return CLOBBERERS;
    case '/fading':
      return '<p class="fading">This appears within a minute.</p>';
    case '/large':
      return '<i></i>'.repeat(26_000);
    case '/endless':
      return Array.from({ length: 11_000 }, (_, at) => `<div class="heap"><span>Card ${at}</span></div>`).join('');
    default:
      return '';
  }
}

const STYLE = `<style>
  @keyframes appear { from { opacity: 0.1 } to { opacity: 1 } }
  .fading { animation: appear 60s } .pale { color: #aaa } .heap { position: absolute; top: 0; opacity: 0.9 }
</style>`;

function pageAt(path: string): string {
  const body = `${nav('<button class="menu" id="menu7"></button>')}<main>${prose(`Page ${path}`)}${bodyOf(path)}</main>`;
  return documentOf(body, { title: `Page ${path}`, head: STYLE });
}

const MENDED = (path: string): string =>
  documentOf(
    `<header><button class="menu">Menu</button><a href="/">Start</a> <a href="/docs/one">One</a> <a href="/docs/two">Two</a></header>` +
      `<main>${prose(`Page ${path}`)}<img src="/quay.png" alt="The quay" width="9" height="9"></main>`,
    { title: `Page ${path}` },
  );

let base = '';
let output = '';
let mended = '';

async function audited(name: string, pageOf: (path: string) => string | null, ...words: readonly string[]) {
  await using site = await httpOrigin(({ url = '/' }, response) => {
    const page = pageOf(url);
    const type = page === null ? 'image/png' : 'text/html';
    response.writeHead(page === null && url !== '/quay.png' ? 404 : 200, { 'content-type': type });
    response.end(page ?? '');
  });
  const [command = '', ...flags] = words;
  const places = ['-o', name, '--allow-private', '127.0.0.1', '--no-progress', '--no-sitemap'];
  const ended = await runHere([command, site.url, ...places, ...flags], base);
  expect(ended.code, ended.output).toBe(0);
  return ended.output.replaceAll(/\s+/g, ' ');
}

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-axe-'));
  const defective = (path: string): string | null => (PATHS.includes(path) ? pageAt(path) : null);
  output = await audited('defects', defective, 'crawl', '--audit', '--page-timeout', '9s', '--render', 'auto', '--axe');
  const whole = (path: string): string | null => (/^\/(?:docs\/\w+)?$/.test(path) ? MENDED(path) : null);
  mended = await audited('mended', whole, 'audit', '--axe=template');
});
afterAll(() => rm(base, { recursive: true, force: true }));

const findings = (name: string): Promise<readonly Finding[]> => linesOf<Finding>(join(base, name), 'findings.jsonl');
const ofAxe = async (name: string): Promise<readonly Finding[]> =>
  (await findings(name)).filter(({ rule }) => rule.startsWith('axe-'));
const checks = async (): Promise<Readonly<Record<string, AxeCheck | null>>> => {
  const details = await linesOf<PageDetails>(join(base, 'defects'), 'details.jsonl');
  return Object.fromEntries(details.map(({ url, axe }) => [new URL(url).pathname, axe]));
};

describe('an audit with --axe', () => {
  it('finds the defect of a layout once for all its pages, and that of a page there', async () => {
    const found = await ofAxe('defects');
    const told = found.map(({ rule, severity, url, sources, evidence }) => ({
      rule,
      severity,
      path: new URL(url).pathname,
      pages: sources.count,
      snippet: evidence.snippet,
    }));
    expect(told).toEqual([
      {
        ...{ rule: 'axe-button-name', severity: 'error', path: '/', pages: 5 },
        snippet: expect.stringMatching('<button'),
      },
      {
        ...{ rule: 'axe-color-contrast', severity: 'error', path: '/', pages: 1 },
        snippet: expect.stringMatching('pale'),
      },
      {
        ...{ rule: 'axe-image-alt', severity: 'error', path: '/', pages: 1 },
        snippet: expect.stringMatching('quay.png'),
      },
    ]);
    expect(found[0]?.sources.first[0]).toMatchObject({ selector: expect.stringContaining('menu') });
  });

  it('renders every page for it, also where others are only read', async () => {
    const pages = await linesOf<PageRecord>(join(base, 'defects'), 'pages.jsonl');
    expect(pages.map(({ rendered, outcome }) => `${outcome} ${rendered}`)).toEqual(PATHS.map(() => 'captured true'));
  });

  it('believes no page that speaks for the check or breaks what it may use', async () => {
    const { '/forge': forged, '/clobber': clobbered } = await checks();
    for (const check of [forged, clobbered]) {
      expect(check).toMatchObject({ end: 'done', violations: [{ rule: 'button-name', nodes: { count: 1 } }] });
    }
  });

  it('takes what is just appearing for what it will be', async () => {
    expect((await checks())['/fading']?.violations.map(({ rule }) => rule)).toEqual(['button-name']);
  });

  it('loses the check of a page on which it does not end, and not the page', async () => {
    const { '/large': large, '/endless': endless } = await checks();
    expect([large?.end, endless?.end]).toEqual(['too-large', 'timed-out']);
    expect(output).toContain(
      'axe-core 4.14.1 checked 5 judged pages; not checked: 1 (did not end in time), 1 (too large).',
    );
  });

  it('says how much such a check can see', () => {
    expect(output).toContain('An automatic check sees a part of what keeps people out');
  });

  it('finds the same in the saved crawl, which has the rules by it', async () => {
    const before = await readFile(join(base, 'defects', 'findings.jsonl'), 'utf8');
    const again = await runHere(['audit', 'defects', '--axe', '--external', 'none'], base);
    expect(again.code).toBe(0);
    expect(await readFile(join(base, 'defects', 'findings.jsonl'), 'utf8')).toBe(before);
    const one = await runHere(['audit', 'defects', '--external', 'none', '--fail-on', 'axe-image-alt'], base);
    expect(one.code).toBe(1);
  });

  it('finds nothing in the mended twin, where one page of each template was checked', async () => {
    expect(await ofAxe('mended')).toEqual([]);
    const details = await linesOf<PageDetails>(join(base, 'mended'), 'details.jsonl');
    expect(details.map(({ axe }) => axe?.end ?? null).toSorted()).toEqual(['done', 'done', null]);
    expect(mended).toContain('checked 2 judged pages, of 2 of 2 page templates.');
  });
});
