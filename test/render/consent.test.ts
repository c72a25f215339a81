import { expect, test } from 'vitest';
import { loadConsentEngine } from '../../src/render/consent/consent-engine.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths } from './render-bench.ts';

const DIALOG = (inner: string): string =>
  `<!doctype html><title>page</title><a href=/a>a</a><p>words of the page</p>${inner}`;
const BANNER = `<div role=dialog id=box style="position:fixed;bottom:0">We use cookies and similar technologies. <a href=/privacy>privacy</a>
<button onclick="done('all')">Accept all</button><button onclick="done('none')">Reject all</button></div>
<script>function done(what){document.cookie='consent='+what;document.getElementById('box').remove();document.title='consent '+what;
document.body.insertAdjacentHTML('beforeend','<a href=/late>late</a>')}</script>`;

test('prototype', async () => {
  const engine = await loadConsentEngine();
  await using site = await FixtureServer.open({ '/': DIALOG(BANNER), '/plain': DIALOG('') });
  for (const mode of ['reject', 'accept', 'hide'] as const) {
    await using bench = await openBench({ workers: 1, consent: { mode, engine } });
    for (const path of ['/plain', '/', '/']) {
      const t = performance.now();
      const page = await bench.capture(site.url(path));
      console.log(mode, path, page.consent, page.title, paths(page), page.settle, performance.now() - t, page.timing, page.problems);
    }
  }
  expect(1).toBe(1);
});
