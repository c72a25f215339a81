import { expect, test } from 'vitest';
import { loadConsentEngine } from '../../src/render/consent/consent-engine.ts';
import type { RenderOptions } from '../../src/render/renderer.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths } from './render-bench.ts';

async function rejecting(): Promise<Partial<RenderOptions>> {
  return { workers: 1, consent: { mode: 'reject', engine: await loadConsentEngine() } };
}

test('a consent dialog is dealt with in real time, and in frames of other processes', async () => {
  await using site = await openFixture('consent');
  await using bench = await openBench(await rejecting(), { frameControl: false, flags: ['--site-per-process'] });
  for (const path of ['/reloads.html', '/frame.html']) {
    const { consent, title } = await bench.capture(new URL(path, site.url).href);
    expect([path, consent, title]).toEqual([path, 'rejected', expect.stringMatching(/: rejected$/)]);
  }
});

test('a page that makes the engine work for very long is read all the same', async () => {
  const boxes = `for(let n=0;n<15000;n++){const box=document.createElement('div');box.style.position='fixed';box.textContent='We use cookies';document.body.append(box)}`;
  await using site = await FixtureServer.open({
    '/': `<!doctype html><title>page</title><a href=/a>a</a><script>${boxes}</script>`,
  });
  await using bench = await openBench(await rejecting());
  const page = await bench.capture(site.url('/'));
  expect(paths(page, 'anchor')).toEqual(['/a']);
});
