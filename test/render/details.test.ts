/** What a browser observes of a page for an audit, where an audit could take it for more or less than it is. */
import { describe, expect, it } from 'vitest';
import { encodePng } from '../../src/base/encode-png.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench } from './render-bench.ts';

/** An answer that announces more than it sends. */
const brokenOff =
  (type: string, body: string): Route =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': '1000' }).write(body, () => response.destroy());
  };

describe('the behaviour of a page', () => {
  it('names the failure of a file whose answer did not come whole, and not its status', async () => {
    await using site = await FixtureServer.open({
      '/': '<!doctype html><title>page</title><script src=/broken.js></script><script src=/packed.js></script><script src=/gone.js></script>',
      '/broken.js': brokenOff('text/javascript', 'let a = 1;'),
      '/packed.js': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/javascript', 'content-encoding': 'gzip' }).end('not packed');
      },
    });
    await using bench = await openBench({ workers: 1, details: { seesCertificates: false } });
    const { behaviour } = await bench.capture(site.url('/'));
    const failed = behaviour?.failed.first.map(({ url, status, error }) => [new URL(url).pathname, status, error]);
    expect(failed).toEqual([
      ['/broken.js', null, 'net::ERR_CONTENT_LENGTH_MISMATCH'],
      ['/packed.js', null, 'net::ERR_CONTENT_DECODING_FAILED'],
      ['/gone.js', 404, null],
    ]);
  });

  it('has no rejection among its uncaught exceptions that a script handles later', async () => {
    await using site = await FixtureServer.open({
      '/': `<!doctype html><title>page</title><script>
        const late = Promise.reject(new Error('handled later'));
        setTimeout(() => late.catch(() => {}), 20);
        Promise.reject(new Error('never handled'));
      </script>`,
    });
    await using bench = await openBench({ workers: 1, details: { seesCertificates: false } });
    const { behaviour } = await bench.capture(site.url('/'));
    expect(behaviour?.exceptions).toEqual({
      count: 1,
      first: [{ text: 'Error: never handled', source: site.url('/') }],
    });
  });

  it('names what a policy blocks in the words of the standard', async () => {
    await using site = await FixtureServer.open({
      '/': (_request, response) => {
        const policy = "require-trusted-types-for 'script'; trusted-types none";
        response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy);
        response.end(`<!doctype html><title>page</title><script>
          try { document.head.innerHTML = 'x' } catch {}
          try { trustedTypes.createPolicy('mine', {}) } catch {}
        </script>`);
      },
    });
    await using bench = await openBench({ workers: 1, details: { seesCertificates: false } });
    const { behaviour } = await bench.capture(site.url('/'));
    expect(behaviour?.cspViolations.first.map(({ directive, blocked }) => [directive, blocked])).toEqual([
      ['require-trusted-types-for', 'trusted-types-sink'],
      ['trusted-types', 'trusted-types-policy'],
    ]);
  });

  it('knows the images in shadow trees whose place a style gives', async () => {
    const inner = '<style>img{width:100px;height:50px}</style><img src=/steady.png><img src=/steady.png>';
    await using site = await FixtureServer.open({
      '/': `<!doctype html><title>page</title><div id=host></div>
        <script>host.attachShadow({ mode: 'open' }).innerHTML = '${inner}'</script>`,
    });
    await using bench = await openBench({ workers: 1, details: { seesCertificates: false } });
    const { behaviour } = await bench.capture(site.url('/'));
    expect(behaviour?.steadyImages).toEqual([site.url('/steady.png')]);
  });

  it('says that its list of images with a place is cut', async () => {
    const images = (count: number): string =>
      Array.from({ length: count }, (_, at) => `<img src=/${at}.png style="width:9px;height:9px">`).join('');
    await using site = await FixtureServer.open({ '/few': images(100), '/many': images(101) });
    await using bench = await openBench({ workers: 1, details: { seesCertificates: false } });
    const listed = async (path: string) => {
      const { behaviour } = await bench.capture(site.url(path));
      return [behaviour?.steadyImages.length, behaviour?.steadyImagesCut];
    };
    expect([await listed('/few'), await listed('/many')]).toEqual([
      [100, false],
      [100, true],
    ]);
  });

  it('has no drawing among its images that are too large: a drawing has no pixels', async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000"><path d="M0 0h10v10"/></svg>`;
    const bitmap = encodePng({ width: 1000, height: 1000, data: new Uint8Array(4_000_000) });
    await using site = await FixtureServer.open({
      '/': '<!doctype html><title>page</title><img src=/drawing width=100 height=100><img src=/bitmap width=100 height=100>',
      '/drawing': (_request, response) => void response.setHeader('content-type', 'image/svg+xml').end(drawing),
      '/bitmap': (_request, response) => void response.setHeader('content-type', 'image/png').end(bitmap),
    });
    await using bench = await openBench({ workers: 1, details: { seesCertificates: false } });
    const { behaviour } = await bench.capture(site.url('/'));
    expect(behaviour?.images.first.map(({ url }) => new URL(url).pathname)).toEqual(['/bitmap']);
  });
});
