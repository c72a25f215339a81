import { expect, describe, test } from 'vitest';
import { FixtureServer } from './fixture-server.ts';
import { openBench } from './render-bench.ts';

/** Width and height of a JPEG, from its start-of-frame segment. */
function sizeOf(picture: Uint8Array): { width: number; height: number } {
  const bytes = Buffer.from(picture);
  expect(bytes.readUInt16BE(0)).toBe(0xffd8);
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffc0 || marker === 0xffc2)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  throw new Error('no start of frame');
}

describe.each([
  ['frames on demand', true],
  ['frames by themselves', false],
])('with %s', (_name, frameControl) => {
  test('the picture shows the page in the size that was asked for, visit after visit', async () => {
    await using site = await FixtureServer.open({
      '/plain': '<!doctype html><body style="background:white">',
      '/busy': `<!doctype html><style>@keyframes k{from{opacity:0}to{opacity:1}}div{animation:k 5s forwards;height:2000px;background:repeating-linear-gradient(45deg,red 0 3px,blue 3px 6px)}</style><div></div>`,
    });
    {
      await using bench = await openBench({ screenshot: 'full-page', workers: 1 }, { frameControl });
      const busy = (await bench.capture(site.url('/busy'))).screenshot ?? new Uint8Array();
      const plain = (await bench.capture(site.url('/plain'))).screenshot ?? new Uint8Array();
      expect(sizeOf(busy)).toEqual({ width: 800, height: 2016 });
      expect(sizeOf(plain)).toEqual({ width: 800, height: 600 });
      expect(busy.length).toBeGreaterThan(plain.length * 10); // the animation has reached its end
      expect(bench.renderer.stats().pagesReplaced).toBe(0);
    }
    await using bench = await openBench({ screenshot: 'viewport', workers: 1 }, { frameControl });
    expect(sizeOf((await bench.capture(site.url('/busy'))).screenshot ?? new Uint8Array())).toEqual({
      width: 800,
      height: 600,
    });
  });
});

test('a page that hangs in a further window keeps the picture of the usual one', async () => {
  const hang = 'addEventListener("resize", () => { if (innerWidth < 500) for (;;); })';
  await using site = await FixtureServer.open({ '/': `<!doctype html><title>page</title><script>${hang}</script>` });
  const windows = { viewport: { width: 800, height: 600 }, viewports: [{ width: 375, height: 600 }] };
  await using bench = await openBench({ screenshot: 'viewport', workers: 1, ...windows });
  const { screenshot } = await bench.capture(site.url('/'));
  expect(sizeOf(screenshot ?? new Uint8Array())).toEqual(windows.viewport);
});
