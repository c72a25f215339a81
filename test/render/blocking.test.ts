import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BlockType } from '../../src/model/render-settings.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths } from './render-bench.ts';

const typed =
  (type: string): Route =>
  (_request, response) => {
    response.setHeader('content-type', type);
    response.end('x');
  };

const PARTS: Readonly<Record<BlockType | 'script', string>> = {
  image: '/picture.png',
  font: '/font.woff2',
  media: '/film.mp4',
  stylesheet: '/style.css',
  script: '/script.js',
};

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({
    '/': `<title>t</title><link rel=stylesheet href=${PARTS.stylesheet}><img src=${PARTS.image}>
      <style>@font-face{font-family:f;src:url(${PARTS.font})} p{font-family:f}</style><p>words</p>
      <video src=${PARTS.media} preload=auto autoplay muted></video><script src=${PARTS.script}></script><a href=/a>a</a>`,
    [PARTS.image]: typed('image/png'),
    [PARTS.font]: typed('font/woff2'),
    [PARTS.media]: typed('video/mp4'),
    [PARTS.stylesheet]: typed('text/css'),
    [PARTS.script]: typed('text/javascript'),
  });
});
afterAll(() => site[Symbol.asyncDispose]());

test.each<readonly [readonly BlockType[]]>([[[]], [['image', 'font']], [['media', 'stylesheet']]])(
  'with %j blocked, those are not asked for, and all others are',
  async (block) => {
    await using bench = await openBench({ workers: 1, block });
    const before = site.asked.length;
    const page = await bench.capture(site.url('/'));
    expect(paths(page, 'anchor')).toEqual(['/a']);
    // a blocked request is not counted as a failure of the page
    expect(page.problems.failedRequests).toBe(0);
    const asked = new Set(site.asked.slice(before).map((line) => line.replace('GET ', '')));
    const expected = Object.entries(PARTS).flatMap(([type, path]) => (block.some((one) => one === type) ? [] : [path]));
    expect([...asked].filter((path) => Object.values(PARTS).includes(path)).toSorted()).toEqual(expected.toSorted());
  },
);
