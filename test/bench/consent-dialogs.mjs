// Counts how many of the dialogs in the consent engine's rules it answers, on pages made from the rules' own selectors (the package
// has no pages of its own), and measures the cost for a page. A made page shows that the engine, its waits and its clicks work;
// it does not show that a rule fits the site it is for.
// Usage: node test/bench/consent-dialogs.mjs [part of a rule's name, or ''] [reject|accept|hide]
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { moduleOf, openBenchRenderer, visitMaker } from './bench-renderer.mjs';
import { build, planPage } from './consent-page.mjs';

const [wanted = '', only = ''] = process.argv.slice(2);
const BUILD = 'dist';
const { loadConsentEngine } = await moduleOf(BUILD, 'src/render/consent/consent-engine.js');

const rules = createRequire(import.meta.url)('@duckduckgo/autoconsent/rules/rules.json').autoconsent;
/** One dialog is recognized by its words, the other by a rule. */
const WORDS = `<div role=dialog id=box style="position:fixed;bottom:0">We use cookies and similar technologies.<button onclick="box.remove()">Reject all</button></div>`;
const RULE = (click) =>
  `<div id=adroll_consent_container style="position:fixed;bottom:0"><button id=adroll_consent_reject onclick="${click}">no</button></div>`;
const pages = new Map([
  ['/none', '<p>words'],
  ['/words', WORDS],
  ['/rule', RULE('adroll_consent_container.remove()')],
  [
    '/reload',
    `<script>document.write(document.cookie?'<p>words':${JSON.stringify(RULE(`document.cookie='a=1';location.reload()`))})</script>`,
  ],
]);
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  const [path] = request.url.split('?');
  response.end(`<!doctype html><title>page</title><a href=/a>a</a>${pages.get(path) ?? ''}`);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const { port } = server.address();

const { signal } = new AbortController();
const visitOf = await visitMaker(BUILD);
const engine = await loadConsentEngine();

const open = (mode) =>
  openBenchRenderer(BUILD, {
    settings: { consent: mode === 'leave' ? null : { mode, engine } },
    launch: { flags: [`--host-resolver-rules=MAP * 127.0.0.1:${port}`] },
  });

let visited = 0;
async function visit(renderer, text) {
  visited += 1;
  const { kind, page } = await renderer.render(visitOf(text), signal);
  return kind === 'captured' ? page : { title: kind, consent: null, timing: { total: 0 } };
}

/** A plain HTTP address that a rule applies to; null if it has none. */
function addressOf({ runContext }) {
  const pattern = runContext?.urlPattern;
  if (!pattern) return 'http://example.test';
  const host = /^\^https\?:\/\/\(www\\\.\)\?((?:[\w-]|\\\.)+)\//.exec(pattern)?.[1]?.replaceAll('\\.', '.');
  return host !== undefined && new RegExp(pattern).test(`http://${host}/`) ? `http://${host}` : null;
}

const median = (list) => list.toSorted((one, two) => one - two)[Math.floor(list.length / 2)];

console.log('| page | mode | median ms | least ms |\n|---|---|---|---|');
for (const [mode, path] of wanted === '' && only === ''
  ? [
      ['leave', '/none'],
      ['leave', '/rule'],
      ['reject', '/none'],
      ['reject', '/rule'],
      ['reject', '/words'],
      ['reject', '/reload'],
    ]
  : []) {
  const renderer = await open(mode);
  const times = [];
  // each on a site of its own: the browser keeps the cookie of /reload
  for (let n = 0; n < 25; n++) {
    const same = `http://same.test${path}`;
    const { timing } = await visit(
      renderer,
      path === '/reload' ? `http://${'abcdefghijklmnopqrstuvwxyz'[n]}.test${path}` : same,
    );
    if (n >= 5) times.push(timing.total);
  }
  await renderer[Symbol.asyncDispose]();
  console.log(`| ${path} | ${mode} | ${median(times).toFixed(0)} | ${Math.min(...times).toFixed(0)} |`);
}

console.log(
  '\n| mode | rules | pages made | dealt with | and gone, but nobody says so | shown or not found |\n|---|---|---|---|---|---|',
);
for (const [mode, action] of [
  ['reject', 'optOut'],
  ['accept', 'optIn'],
  ['hide', 'optOut'],
]) {
  if (only !== '' && only !== mode) continue;
  const renderer = await open(mode);
  const why = new Map();
  const failed = [];
  let made = 0;
  let dealt = 0;
  let silent = 0;
  for (const rule of rules.filter(({ name }) => name.includes(wanted))) {
    const address = addressOf(rule);
    const plan = address === null ? { why: 'is for sites over https, or several' } : planPage(rule, action);
    if (plan.why !== null) {
      why.set(plan.why, (why.get(plan.why) ?? 0) + 1);
      continue;
    }
    const path = `/${visited}`;
    pages.set(path, `<body><script>(${build})(${JSON.stringify(plan)})</script>`);
    const { title, consent } = await visit(renderer, `${address}${path}`);
    pages.delete(path);
    // a browser opens some sites by https only
    const reason = {
      'not built': 'has selectors that this program builds wrongly',
      redirected: 'is for sites over https, or several',
    }[title];
    if (reason !== undefined) {
      why.set(reason, (why.get(reason) ?? 0) + 1);
      continue;
    }
    made += 1;
    const word = { reject: 'rejected', accept: 'accepted', hide: 'hidden' }[mode];
    const isDealt =
      (consent === word && (title === 'answered' || mode === 'hide' || plan.last === null)) ||
      (plan.cosmetic && consent === 'hidden');
    if (isDealt) dealt += 1;
    else if (title === 'answered') silent += 1;
    else failed.push(`${rule.name}: ${consent}, ${title}`);
  }
  await renderer[Symbol.asyncDispose]();
  console.log(`| ${mode} | ${rules.length} | ${made} | ${dealt} | ${silent} | ${failed.length} |`);
  console.error([...why].map(([reason, count]) => `  no page: ${count} ${reason}`).join('\n'));
  console.error(failed.map((line) => `  ${line}`).join('\n'));
}
server.close();
