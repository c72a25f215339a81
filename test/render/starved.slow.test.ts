/** A browser without processor time for seconds is waited for: it is not replaced, and the page is not requested again. Linux only. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { processTree } from '../../src/base/process/process-memory.ts';
import { seconds } from '../../src/base/units.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

/** Longer than the limits of a frame and of a call, five seconds. */
const STOPPED = seconds(7);
const PATIENT = { workers: 1, settleTimeout: seconds(20), pageTimeout: seconds(40) } as const;

const page = (code: string): string =>
  `<!doctype html><body><a href="/first">first</a><script>
  const add=(u)=>document.body.insertAdjacentHTML('beforeend','<a href="'+u+'">'+u+'</a>');
  const stop=()=>{const x=new XMLHttpRequest();x.open('GET','/stop',false);x.send()};${code}</script>`;

/** A site that stops all processes of the browser while it answers `/stop`. */
async function stoppingSite(bench: () => Bench): Promise<FixtureServer> {
  return FixtureServer.open({
    '/loading': page('fetch("/stop").then(()=>add("/late"));setTimeout(()=>add("/timer"),2000)'),
    '/frame': page('requestAnimationFrame(()=>{stop();add("/late")});setTimeout(()=>add("/timer"),2000)'),
    '/script': page('setTimeout(()=>{stop();add("/late")},1000);setTimeout(()=>add("/timer"),2000)'),
    '/stop': (_request, response) => {
      const pids = processTree(bench().renderer.stats().browserPid ?? 0, () => false);
      const signalAll = (signal: NodeJS.Signals): void => pids.forEach((pid) => process.kill(pid, signal));
      signalAll('SIGSTOP');
      void wait(STOPPED).then(() => {
        signalAll('SIGCONT');
        response.end('done');
      });
    },
  });
}

test.skipIf(process.platform !== 'linux').each(['/loading', '/frame', '/script'])(
  'a browser that stands still for seconds within %s keeps its page, and the page keeps its links',
  async (path) => {
    let bench: Bench | null = null;
    await using site = await stoppingSite(() => {
      if (bench === null) throw new Error('no browser yet');
      return bench;
    });
    await using opened = await openBench(PATIENT);
    bench = opened;
    const captured = await opened.capture(site.url(path));
    expect(paths(captured, 'anchor')).toEqual(['/first', '/late', '/timer']);
    expect(site.asked.filter((asked) => asked === `GET ${path}`)).toHaveLength(1);
    expect(site.asked.filter((asked) => asked === 'GET /stop')).toHaveLength(1);
    expect(opened.renderer.stats()).toMatchObject({ pagesReplaced: 0, browsersReplaced: 0 });
  },
);
