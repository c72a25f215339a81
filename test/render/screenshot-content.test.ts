/** The content of screenshots: decoded, and checked at single pixels. */
import jpeg from 'jpeg-js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { RenderOptions } from '../../src/render/renderer.ts';
import { squareFont } from '../support/square-font.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench } from './render-bench.ts';

const WAYS = [
  ['frames on demand', true],
  ['frames by themselves', false],
] as const;

/** The colour at a point, as the nearest of the colours used here. */
type Look = (x: number, y: number) => string;

interface Shot {
  readonly width: number;
  readonly height: number;
  readonly at: Look;
  readonly asked: readonly string[];
}

const COLOURS: Readonly<Record<string, readonly [number, number, number]>> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  red: [255, 0, 0],
  lime: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
};

function lookOf(data: Uint8Array, width: number): Look {
  return (x, y) => {
    const place = (y * width + x) * 4;
    const distance = (name: string): number =>
      (COLOURS[name] ?? []).reduce((sum, value, channel) => sum + Math.abs(value - (data[place + channel] ?? 0)), 0);
    return Object.keys(COLOURS).toSorted((one, other) => distance(one) - distance(other))[0] ?? '';
  };
}

const picture =
  (colour: string): Route =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response
      .writeHead(200, { 'content-type': 'image/svg+xml' })
      .end(
        `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="${colour}"/></svg>`,
      );

async function shoot(
  html: string,
  changes: Partial<RenderOptions>,
  { frameControl, routes = {} }: { readonly frameControl: boolean; readonly routes?: Readonly<Record<string, Route>> },
): Promise<Shot> {
  await using site = await FixtureServer.open({ '/': `<!doctype html><body style="margin:0">${html}`, ...routes });
  await using bench = await openBench({ workers: 1, ...changes }, { frameControl });
  const { screenshot } = await bench.capture(site.url('/'));
  const { width, height, data } = jpeg.decode(screenshot ?? new Uint8Array(), {
    useTArray: true,
    maxMemoryUsageInMB: 2048,
  });
  expect(bench.renderer.stats().pagesReplaced).toBe(0);
  return { width, height, at: lookOf(data, width), asked: site.asked };
}

describe.each(WAYS)('with %s', (_name, frameControl) => {
  const routes = { '/lime': picture('lime'), '/blue': picture('blue'), '/red': picture('red') };

  test('a picture that is loaded when it comes into view is there, and none beyond the view is asked for', async () => {
    const html =
      '<img loading=lazy src=/lime width=100 height=100><div style="height:20000px"></div><img loading=lazy src=/blue width=100 height=100>';
    const { at, asked } = await shoot(html, { screenshot: 'viewport', explore: 'none' }, { frameControl, routes });
    expect(at(50, 50)).toBe('lime');
    expect(asked).toContain('GET /lime');
    expect(asked).not.toContain('GET /blue');
  });

  test('of a whole page the pictures at its end are there, whoever loads them', async () => {
    const html = `<div style="height:5000px"></div><img loading=lazy src=/blue width=100 height=100 style="display:block">
      <div id=watched style="height:100px"></div><script>
      new IntersectionObserver(([entry],observer)=>{if(!entry.isIntersecting)return;observer.disconnect();
        const img=new Image(100,100);img.src='/red';img.style.display='block';watched.append(img)}).observe(watched)</script>`;
    const changes = { screenshot: 'full-page', explore: 'none' } as const;
    const { at, height } = await shoot(html, changes, { frameControl, routes });
    expect(height).toBe(5200);
    expect([at(50, 5050), at(50, 5150)]).toEqual(['blue', 'red']);
  });

  test('animations are at their end, in shadow trees and frames too, and those without one at their start', async () => {
    const style = `<style>@keyframes k{from{background:red}to{background:lime}}@keyframes e{from{background:blue}to{background:red}}
      div{height:50px}.once{animation:k 20s forwards}.ever{animation:e 1s infinite}.late{transition:background 30s;background:red}.late.on{background:lime}</style>`;
    const html = `${style}<div class=once></div><div class=ever></div><div class=late id=late></div><div id=host></div>
      <iframe style="border:0;height:50px;width:100px;display:block" srcdoc="<body style='margin:0'>${style.replaceAll('"', '')}<div class=once></div>"></iframe>
      <script>host.attachShadow({mode:'open'}).innerHTML=\`${style}<div class=once></div>\`;late.offsetTop;late.classList.add('on')</script>`;
    const { at } = await shoot(html, { screenshot: 'viewport' }, { frameControl });
    expect([25, 75, 125, 175, 225].map((y) => at(25, y))).toEqual(['lime', 'blue', 'lime', 'lime', 'lime']);
  });

  test('a font of the page is used, even where nothing waits for it', async () => {
    const font: Route = (_request, response) =>
      void setTimeout(() => response.writeHead(200, { 'content-type': 'font/ttf' }).end(squareFont()), 200);
    const html = `<style>@font-face{font-family:Square;src:url(/square.ttf);font-display:swap}</style>
      <p style="margin:0;font:100px/100px Square">IIII</p>`;
    const { at, asked } = await shoot(
      html,
      { screenshot: 'viewport' },
      { frameControl, routes: { '/square.ttf': font } },
    );
    expect(asked).toContain('GET /square.ttf');
    expect([10, 90, 150, 350].map((x) => at(x, 50))).toEqual(['black', 'black', 'black', 'black']);
    expect(at(450, 50)).toBe('white');
  });

  test('what a script has drawn is there', async () => {
    const html = `<canvas id=c width=100 height=100 style="display:block"></canvas><canvas id=g width=100 height=100></canvas><script>
      const context=c.getContext('2d');context.fillStyle='blue';context.fillRect(0,0,100,100);
      requestAnimationFrame(function turn(){const g2=g.getContext('2d');g2.fillStyle='lime';g2.fillRect(0,0,100,100);requestAnimationFrame(turn)})</script>`;
    const { at } = await shoot(html, { screenshot: 'viewport' }, { frameControl });
    expect([at(50, 50), at(50, 150)]).toEqual(['blue', 'lime']);
  });
});
