/** Pages that keep streams open and poll: what is still found, what is not requested again, and what the next visit sees of them. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { milliseconds } from '../../src/base/units.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

const APPEND = 'const add=(u)=>document.body.insertAdjacentHTML("beforeend",`<a href="${u}">${u}</a>`);';
const script = (code: string): string =>
  `<!doctype html><body><a href="/first">first</a><script>${APPEND}${code}</script>`;
const stream: Route = (_request, response) => {
  response.setHeader('content-type', 'text/event-stream');
  response.write('data: hello\n\n');
};
const POLL =
  'let n=0;const poll=()=>fetch("/tick?n="+n++).then(r=>r.text()).then(t=>{if(t)add(t);setTimeout(poll,300)});poll();';

async function polling(answer: (n: number) => string, visits: number): Promise<{ links: string[][]; polls: number[] }> {
  const tick: Route = (request, response) => {
    const n = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('n'));
    wait(20)
      .then(() => response.end(answer(n)))
      .catch(() => {});
  };
  await using site = await FixtureServer.open({
    '/page': script(`${POLL}new EventSource("/events")`),
    '/events': stream,
    '/tick': tick,
  });
  await using bench = await openBench({ workers: 1 });
  const links: string[][] = [];
  const polls: number[] = [];
  for (let visit = 0; visit < visits; visit++) {
    const before = site.paths().length;
    links.push(paths(await bench.capture(site.url(`/page?${visit}`)), 'anchor'));
    polls.push(
      site
        .paths()
        .slice(before)
        .filter((path) => path.startsWith('/tick')).length,
    );
  }
  return { links, polls };
}

test('what the second answer to a poll brings is found on every page of a pattern', async () => {
  const { links } = await polling((n) => (n === 1 ? '/second' : ''), 5);
  expect(links).toEqual(Array.from({ length: 5 }, () => ['/first', '/second']));
});

test('a poll whose further answers bring nothing is followed no further on the third page', async () => {
  const { links, polls } = await polling((n) => (n === 0 ? '/start' : ''), 4);
  expect(links).toEqual(Array.from({ length: 4 }, () => ['/first', '/start']));
  // the poll that brought a link, and the next one, which is not waited for; earlier visits follow it as far as time allows
  expect(polls.slice(2)).toEqual([2, 2]);
});

test('what a page before asks for, on a message of its stream, is no request of the next', async () => {
  let streams = 0;
  await using site = await FixtureServer.open({
    '/talks': script('new EventSource("/beats").onmessage=()=>fetch("/beat")'),
    '/slow': (_request, response) => {
      wait(600)
        .then(() => response.setHeader('content-type', 'text/html').end('<!doctype html><a href="/next">next</a>'))
        .catch(() => {});
    },
    '/beat': '{}',
    '/beats': (_request, response) => {
      response.setHeader('content-type', 'text/event-stream');
      streams += 1;
      const beat = setInterval(() => response.write('data: x\n\n'), 50);
      response.on('close', () => {
        clearInterval(beat);
        streams -= 1;
      });
    },
  });
  await using bench: Bench = await openBench({ workers: 1, settleTimeout: milliseconds(3000) });
  // the page rests with its stream, and the next visit ends that at once; a page starved of the processor is replaced, and its stream ends with it
  const rests = async (): Promise<number> => (await bench.capture(site.url('/talks')), streams);
  await expect.poll(rests, { timeout: 60_000 }).toBe(1);
  const page = await bench.capture(site.url('/slow'));
  expect(paths(page)).toEqual(['/next']);
  expect(page.settle.pending).toEqual([]);
  await bench.capture(site.url('/talks'));
  await expect.poll(() => streams).toBe(0); // without a next visit the stream ends by itself
});
