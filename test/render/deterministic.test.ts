/** The world that a deterministic page finds, and that nothing of it is visible elsewhere. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import type { RenderOptions } from '../../src/render/renderer.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench } from './render-bench.ts';

const said = (script: string): string =>
  `<!doctype html><p id="said"></p><script>const say = (text) => (document.getElementById('said').textContent = text);${script}</script>`;

async function textOf(script: string, changes: Partial<RenderOptions>): Promise<string> {
  await using site = await FixtureServer.open({ '/page': said(script) });
  await using bench = await openBench({ workers: 1, explore: 'none', ...changes });
  return (await bench.capture(site.url('/page'))).text?.trim() ?? '';
}

const ODD = `
  const tried = (work) => { try { return work(); } catch (error) { return error.name; } };
  say([
    tried(() => crypto.getRandomValues(new Uint8Array(70000)).length),
    tried(() => crypto.getRandomValues(new Float32Array(2)).length),
    tried(() => crypto.getRandomValues(new Uint16Array(2)).constructor.name),
    tried(() => Crypto.prototype.getRandomValues.call({}, new Uint8Array(2))),
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()),
    Object.keys(Math).length,
    Math.random() < 1,
  ].join(' '));`;

describe('a page that is loaded alike each time', () => {
  it('has chance that refuses what chance refuses', async () => {
    expect(await textOf(ODD, { deterministic: true })).toBe(
      'QuotaExceededError TypeMismatchError Uint16Array TypeError true 0 true',
    );
  });

  it('that hangs with a clock of its own has the same date by the real one', async () => {
    const spins =
      'const from = Date.now(); while (Date.now() - from < 50); say(new Date().toISOString().slice(0, 16) + " " + (new Date() instanceof Date) + " " + Date().slice(0, 15) + " " + new Date(0).getTime());';
    const patient = { settleTimeout: seconds(15), pageTimeout: seconds(25) }; // the hang must be detected first
    expect(await textOf(spins, { deterministic: true, ...patient })).toBe('2026-01-14T12:00 true Wed Jan 14 2026 0');
  });

  it('has nothing of an earlier visit in its storage', async () => {
    const counts =
      'localStorage.n = Number(localStorage.n ?? 0) + 1; say(localStorage.n + document.cookie); document.cookie = "a=b";';
    await using site = await FixtureServer.open({ '/one': said(counts), '/two': said(counts) });
    await using bench = await openBench({ workers: 1, explore: 'none', deterministic: true });
    for (const path of ['/one', '/two']) expect((await bench.capture(site.url(path))).text?.trim()).toBe('1');
  });
});

describe('answers in the order of their requests', () => {
  it('are not held for ever where one never comes', async () => {
    const asks = `fetch('/never').catch(() => {}); (async () => { const all = []; for (const name of ['a', 'b', 'c']) all.push(await (await fetch('/' + name)).text()); say(all.join('')); })();`;
    await using site = await FixtureServer.open({
      '/page': said(asks),
      '/never': () => {},
      '/a': 'A',
      '/b': 'B',
      '/c': 'C',
    });
    await using bench = await openBench({ workers: 1, explore: 'none', deterministic: true });
    expect((await bench.capture(site.url('/page'))).text?.trim()).toBe('ABC');
  });
});

describe('any other page', () => {
  it('has the chance and the clock of the browser', async () => {
    const own = `say([Math.random, Crypto.prototype.getRandomValues, crypto.randomUUID, Date.now, performance.now].every((each) => String(each).includes('[native code]')) + ' ' + (new Date().getFullYear() > 2025 && Math.abs(Date.now() - ${Date.now()}) < 3600e3));`;
    expect(await textOf(own, {})).toBe('true true');
  });
});
