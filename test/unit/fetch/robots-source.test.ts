import { gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { epochMs, hours, minutes, seconds, type Milliseconds } from '../../../src/base/units.ts';
import { afterOutcome } from '../../../src/core/politeness/backoff.ts';
import { parseRobots } from '../../../src/core/robots/robots-file.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { openEgress } from '../../../src/egress/open-egress.ts';
import { answerOf, openRobotsSource, type RobotsAnswer, type RobotsSource } from '../../../src/fetch/robots-source.ts';
import { memoryRobotsStore, type RobotsStore } from '../../../src/fetch/robots-store.ts';
import { storedHostKey, type HostKey } from '../../../src/model/url/host-key.ts';
import { url } from '../../support/frontier-nouns.ts';
import { cannedOrigin, httpOrigin, rawOrigin } from '../../support/origin.ts';

const signal = new AbortController().signal;
const START = 1_700_000_000_000;

/** A clock whose time of day the test sets; durations run as always. */
function handClock(): Clock & { turn(by: number): void } {
  let now = START;
  return {
    ...systemClock,
    now: () => epochMs(now),
    turn: (by) => {
      now += by;
    },
  };
}

async function egressTo(...ports: readonly number[]): Promise<Egress> {
  return await openEgress(
    {
      grants: ports.map((port) => ({ cidr: '127.0.0.1', port })),
      closedPorts: [],
      connectTimeout: seconds(5),
      resolveTimeout: seconds(5),
    },
    { log: silentLog, resolver: { resolve: async (name) => await Promise.reject(new Error(`ENOTFOUND ${name}`)) } },
  );
}

function sourceOver(
  egress: Egress,
  more: { readonly clock?: Clock; readonly store?: RobotsStore; readonly maxRetryAfter?: Milliseconds } = {},
): RobotsSource {
  const { maxRetryAfter } = more;
  return openRobotsSource({
    ...(maxRetryAfter === undefined ? {} : { maxRetryAfter }),
    egress,
    userAgent: 'Orbweaver/0.1',
    store: more.store ?? memoryRobotsStore(),
    clock: more.clock ?? handClock(),
    log: silentLog,
  });
}

const hostAt = (port: number): HostKey => storedHostKey(`http://127.0.0.1:${port}`);

async function answerFrom(listener: RequestListener): Promise<RobotsAnswer> {
  await using origin = await httpOrigin(listener);
  await using egress = await egressTo(origin.port);
  return await sourceOver(egress).answerFor(hostAt(origin.port), signal);
}

function textOf(answer: RobotsAnswer): string {
  return answer.kind === 'body' ? Buffer.from(answer.body).toString('latin1') : answer.kind;
}

describe('a status', () => {
  test.each([200, 203, 206])('of %i gives the body as it is, though it be HTML', async (status) => {
    const answer = await answerFrom((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('\ufeff<html>\0Disallow: /');
    });
    expect(answer).toMatchObject({ kind: 'body', status, fetchedAt: START });
    expect(textOf(answer)).toBe(Buffer.from('\ufeff<html>\0Disallow: /').toString('latin1'));
  });

  test.each([400, 401, 403, 404, 410, 418, 451])('of %i allows everything', async (status) => {
    const answer = await answerFrom((_request, response) => response.writeHead(status).end('Disallow: /'));
    expect(answer).toEqual({ kind: 'allow-all', why: `robots.txt answered with status ${status}`, fetchedAt: START });
  });

  test.each([429, 500, 502, 503, 504, 599])('of %i forbids everything', async (status) => {
    const answer = await answerFrom((_request, response) => response.writeHead(status).end('Allow: /'));
    expect(answer).toEqual({ kind: 'forbid-all', why: `robots.txt answered with status ${status}` });
  });
});

test('a status of 403 that says when to come back is about the visitor, and forbids everything until then', async () => {
  const answered = (value: string): Promise<RobotsAnswer> =>
    answerFrom((_request, response) => response.writeHead(403, { 'retry-after': value }).end('Allow: /'));
  const why = 'robots.txt answered with status 403';
  expect(await answered('7')).toEqual({ kind: 'forbid-all', why, retryAfter: 7000 });
  expect(await answered('never')).toEqual({ kind: 'allow-all', why, fetchedAt: START });
});

describe('a status counts before the body', () => {
  test.each(['utf-8', 'zstd', 'gzip'])('in %s, which is not what it holds', async (encoding) => {
    const answered = (status: number): Promise<RobotsAnswer> =>
      answerFrom((_request, response) => {
        response.writeHead(status, { 'content-encoding': encoding, 'retry-after': '7' }).end('not found');
      });
    expect(await answered(404)).toMatchObject({ kind: 'allow-all', why: 'robots.txt answered with status 404' });
    expect(await answered(503)).toMatchObject({ kind: 'forbid-all', retryAfter: 7000 });
  });

  test('of 200, which is unreachable where it cannot be decoded', async () => {
    const answer = await answerFrom((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('Disallow: /');
    });
    expect(answer).toMatchObject({ kind: 'unreachable', failure: 'bad-response' });
  });
});

describe('a redirect', () => {
  const countdown: RequestListener = (incoming, response) => {
    const left =
      incoming.url === '/robots.txt' ? Number(incoming.headers['x-hops'] ?? 0) : Number(incoming.url?.slice(1));
    if (left === 0) response.end('Disallow: /there');
    else response.writeHead(301, { location: `/${left - 1}` }).end();
  };

  test.each([
    [5, 'Disallow: /there'],
    [6, 'allow-all'],
  ])('over %i hops gives %s', async (hops, expected) => {
    const answer = await answerFrom((incoming, response) => {
      if (incoming.url === '/robots.txt') incoming.headers['x-hops'] = String(hops);
      countdown(incoming, response);
    });
    expect(textOf(answer)).toBe(expected);
  });

  test('to another host counts for the host that was asked', async () => {
    await using other = await httpOrigin((_request, response) => response.end('Disallow: /other'));
    await using origin = await httpOrigin((_request, response) => {
      response.writeHead(302, { location: `${other.url}/their-robots.txt` }).end();
    });
    await using egress = await egressTo(origin.port, other.port);
    const source = sourceOver(egress);
    expect(textOf(await source.answerFor(hostAt(origin.port), signal))).toBe('Disallow: /other');
    await source.answerFor(hostAt(origin.port), signal);
    expect(other.requests).toEqual(['GET /their-robots.txt']);
  });

  test('to a refused address is no way to reach it, and no reason to go on', async () => {
    await using canary = await rawOrigin(() => {});
    await using origin = await httpOrigin((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end();
    });
    await using egress = await egressTo(origin.port);
    const answer = await sourceOver(egress).answerFor(hostAt(origin.port), signal);
    expect(answer).toMatchObject({ kind: 'unreachable', failure: 'other' });
    expect(canary.connections()).toBe(0);
  });

  test('to a file is unreachable', async () => {
    const answer = await answerFrom((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    );
    expect(answer).toMatchObject({ kind: 'unreachable', failure: 'bad-response' });
  });
});

describe('a file', () => {
  test('of 10 MiB is read to 500 KiB', async () => {
    const rule = 'Disallow: /near\n';
    const answer = await answerFrom((_request, response) => {
      response.end(`${'#'.repeat(500 * 1024 - 40)}\n${rule}`.padEnd(10 * 1024 * 1024, 'x'));
    });
    expect(textOf(answer)).toHaveLength(500 * 1024 + 1);
    expect(textOf(answer)).toContain(rule);
  });

  test('of more than 500 KiB gives no rule that the limit cuts', async () => {
    const [agent, rule] = ['User-agent: *\n', 'Disallow: /'];
    const padding = '#'.repeat(500 * 1024 - agent.length - 1 - rule.length);
    const answer = await answerFrom((_request, response) => response.end(`${agent}${padding}\n${rule}private\n`));
    const file = parseRobots(Buffer.from(textOf(answer), 'latin1'));
    expect(file.verdict('Orbweaver', url('http://a.example/page')).allowed).toBe(true);
  });

  test('without end is read to 500 KiB', async () => {
    const answer = await answerFrom((_request, response) => {
      const more = (): void => {
        while (response.writable && response.write('# and on and on\n'.repeat(100)));
      };
      response.on('drain', more);
      more();
    });
    expect(textOf(answer)).toHaveLength(500 * 1024 + 1);
  });

  test('that is a gzip bomb is read to 500 KiB', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, '#'));
    const answer = await answerFrom((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(textOf(answer)).toHaveLength(500 * 1024 + 1);
  });

  test.each<[string, string, (socket: Socket) => void, string]>([
    ['breaks off', 'Content-Length: 100\r\n\r\nDisallow: /a', (socket) => socket.end(), 'reset'],
    ['is reset', 'Content-Length: 100\r\n\r\nDisallow: /a', (socket) => socket.resetAndDestroy(), 'reset'],
    [
      'cannot be decoded',
      'Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope',
      (socket) => socket.end(),
      'bad-response',
    ],
  ])('that %s is unreachable, for the rule that counts may be missing', async (_title, rest, then, failure) => {
    await using origin = await cannedOrigin(`HTTP/1.1 200 OK\r\n${rest}`, then);
    await using egress = await egressTo(origin.port);
    expect(await sourceOver(egress).answerFor(hostAt(origin.port), signal)).toMatchObject({
      kind: 'unreachable',
      failure,
    });
  });

  test('that does not end in time is unreachable', () => {
    const result = {
      kind: 'answer',
      status: 200,
      headers: [],
      body: new Uint8Array(),
      truncated: 'time',
      finalUrl: '',
    } as const;
    expect(answerOf(result, '', epochMs(0))).toMatchObject({ kind: 'unreachable', failure: 'timeout' });
  });
});

describe('a host', () => {
  test('that cannot be reached is unreachable, with the reason', async () => {
    await using origin = await rawOrigin((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await using egress = await egressTo(origin.port, 9);
    const source = sourceOver(egress);
    expect(await source.answerFor(hostAt(origin.port), signal)).toMatchObject({
      kind: 'unreachable',
      failure: 'reset',
    });
    expect(await source.answerFor(hostAt(9), signal)).toMatchObject({ kind: 'unreachable', failure: 'refused' });
    const unknown = storedHostKey('http://nowhere.example');
    expect(await source.answerFor(unknown, signal)).toMatchObject({ kind: 'unreachable', failure: 'dns' });
  });

  test('with a refused address is blocked, and only for as long as it is refused', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('Disallow: /a'));
    await using egress = await egressTo();
    const source = sourceOver(egress);
    expect(await source.answerFor(hostAt(origin.port), signal)).toMatchObject({ kind: 'blocked' });
    egress.grant({ cidr: '127.0.0.1', port: origin.port });
    expect(await source.answerFor(hostAt(origin.port), signal)).toMatchObject({ kind: 'body' });
  });

  test('is asked once by many who ask at the same time', async () => {
    let respond = (): void => {};
    await using origin = await httpOrigin((_request, response) => {
      respond = () => response.end('Disallow: /a');
    });
    await using egress = await egressTo(origin.port);
    const source = sourceOver(egress);
    const stop = new AbortController();
    const impatient = source.answerFor(hostAt(origin.port), stop.signal);
    const answers = Promise.all([1, 2, 3].map(async () => await source.answerFor(hostAt(origin.port), signal)));
    await expect.poll(() => origin.requests).toHaveLength(1);
    stop.abort(new Error('no longer wanted'));
    await expect(impatient).rejects.toThrow('no longer wanted');
    respond();
    expect((await answers).map(textOf)).toEqual(['Disallow: /a', 'Disallow: /a', 'Disallow: /a']);
    expect(origin.requests).toEqual(['GET /robots.txt']);
  });
});

describe('a copy', () => {
  test('that stands in serves for 5 minutes, also where the host asks for a shorter wait', async () => {
    const clock = handClock();
    let status = 200;
    await using origin = await httpOrigin((_request, response) =>
      response.writeHead(status, { 'retry-after': '0' }).end('Disallow: /old'),
    );
    await using egress = await egressTo(origin.port);
    const source = sourceOver(egress, { clock });
    const ask = (): Promise<RobotsAnswer> => source.answerFor(hostAt(origin.port), signal);
    await ask();
    status = 503;
    clock.turn(hours(24));
    expect(textOf(await ask())).toBe('Disallow: /old');
    clock.turn(minutes(5) - 1);
    await ask();
    expect(origin.requests).toHaveLength(2);
    clock.turn(1);
    await ask();
    expect(origin.requests).toHaveLength(3);
  });

  /** A host whose status the test sets. */
  async function changing(body = 'Disallow: /old'): Promise<
    AsyncDisposable & {
      readonly clock: Clock & { turn(by: number): void };
      readonly store: RobotsStore;
      readonly egress: Egress;
      set(status: number, text?: string): void;
      ask(fresh?: boolean): Promise<string>;
      answer(): Promise<RobotsAnswer>;
      asked(): number;
    }
  > {
    let status = 200;
    let text = body;
    const origin = await httpOrigin((_request, response) => response.writeHead(status).end(text));
    const egress = await egressTo(origin.port);
    const clock = handClock();
    const store = memoryRobotsStore();
    const kept = sourceOver(egress, { clock, store });
    return {
      clock,
      store,
      egress,
      set: (next, nextText = text) => {
        status = next;
        text = nextText;
      },
      ask: async (fresh = false) => {
        const source = fresh ? sourceOver(egress, { clock, store }) : kept;
        return textOf(await source.answerFor(hostAt(origin.port), signal));
      },
      answer: () => kept.answerFor(hostAt(origin.port), signal),
      asked: () => origin.requests.length,
      [Symbol.asyncDispose]: async () => {
        await egress[Symbol.asyncDispose]();
        await origin[Symbol.asyncDispose]();
      },
    };
  }

  test('is the same object each time, so that it is parsed once', async () => {
    await using origin = await httpOrigin((_request, response) => response.end('Disallow: /a'));
    await using egress = await egressTo(origin.port);
    const source = sourceOver(egress);
    const first = await source.answerFor(hostAt(origin.port), signal);
    const second = await source.answerFor(hostAt(origin.port), signal);
    expect(first.kind === 'body' && second.kind === 'body' && first.body === second.body).toBe(true);
  });

  test('serves for 24 hours, also from the store, and is fetched again then', async () => {
    await using host = await changing();
    expect(await host.ask()).toBe('Disallow: /old');
    host.set(200, 'Disallow: /new');
    host.clock.turn(hours(24) - 1);
    expect(await host.ask()).toBe('Disallow: /old');
    expect(await host.ask(true)).toBe('Disallow: /old');
    expect(host.asked()).toBe(1);
    host.clock.turn(1001);
    expect(await host.ask()).toBe('Disallow: /new');
    expect(host.asked()).toBe(2);
  });

  test.each([
    ['120', minutes(2)],
    ['1000000000', minutes(30)],
  ])('of a host that asks to wait %s s serves so long, and no longer than the user grants', async (asked, served) => {
    const clock = handClock();
    await using origin = await httpOrigin((_request, response) =>
      response.writeHead(503, { 'retry-after': asked }).end(),
    );
    await using egress = await egressTo(origin.port);
    const source = sourceOver(egress, { clock, maxRetryAfter: minutes(30) });
    const ask = () => source.answerFor(hostAt(origin.port), signal);
    const why = 'robots.txt answered with status 503';
    expect(await ask()).toEqual({ kind: 'forbid-all', why, retryAfter: Number(asked) * 1000 });
    clock.turn(served - 1);
    await ask();
    expect(origin.requests).toHaveLength(1);
    clock.turn(1);
    await ask();
    expect(origin.requests).toHaveLength(2);
  });

  test('from a time that lies ahead is fetched again', async () => {
    await using host = await changing();
    await host.ask();
    host.clock.turn(-1);
    await host.ask();
    expect(host.asked()).toBe(2);
  });

  test.each([503, 429])('stands in for 30 days while the host answers %i, and no longer', async (status) => {
    await using host = await changing();
    await host.ask();
    host.set(status);
    host.clock.turn(hours(24));
    expect(await host.ask()).toBe('Disallow: /old');
    expect(host.asked()).toBe(2);
    host.clock.turn(hours(24 * 29) - 1);
    expect(await host.ask(true)).toBe('Disallow: /old');
    host.clock.turn(hours(1));
    expect(await host.ask()).toBe('forbid-all');
  });

  test('of an answer that allowed everything stands in as well', async () => {
    await using host = await changing();
    host.set(404);
    expect(await host.ask()).toBe('allow-all');
    host.set(500);
    host.clock.turn(hours(25));
    expect(await host.ask()).toBe('allow-all');
    expect(host.asked()).toBe(2);
  });

  test('of a failure serves for a second, then for twice as long from time to time, up to an hour', async () => {
    await using host = await changing();
    host.set(503);
    const waits: Milliseconds[] = [
      ...Array.from({ length: 12 }, (_, index) => seconds(2 ** index)),
      minutes(60),
      minutes(60),
    ];
    expect(await host.ask()).toBe('forbid-all');
    for (const [index, wait] of waits.entries()) {
      host.clock.turn(wait - 1);
      await host.ask();
      expect(host.asked()).toBe(index + 1);
      host.clock.turn(1);
      await host.ask();
      expect(host.asked()).toBe(index + 2);
    }
    host.set(200);
    host.clock.turn(minutes(60));
    expect(await host.ask()).toBe('Disallow: /old');
    host.set(503);
    host.clock.turn(hours(24 * 31));
    expect(await host.ask()).toBe('forbid-all');
    const asked = host.asked();
    host.clock.turn(seconds(1));
    await host.ask();
    expect(host.asked()).toBe(asked + 1);
  });

  test.each(['robots', 'reset', 'refused', 'timeout', 'bad-response', 'other', 'proxy'] as const)(
    'of a failure (%s) serves no other try of a URL, as often as it may be tried before its host is left alone',
    async (failure) => {
      await using host = await changing();
      host.set(503);
      const outcome = { kind: 'unreachable', failure, detail: '', ofRobots: true } as const;
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        await host.ask();
        expect(host.asked()).toBe(attempt);
        host.clock.turn(afterOutcome(outcome, { attempt, retries: 5, random: () => 0 }).wait);
      }
    },
  );

  test('that stands in says when the host was last asked for another, which it is after 5 minutes', async () => {
    await using host = await changing();
    await host.ask();
    host.set(503);
    host.clock.turn(hours(24));
    const standIn = { kind: 'body', fetchedAt: START, triedAt: START + hours(24) };
    expect(await host.answer()).toMatchObject(standIn);
    host.clock.turn(minutes(5) - 1);
    expect(await host.answer()).toMatchObject(standIn);
    host.clock.turn(1);
    expect(await host.answer()).toMatchObject({ kind: 'body', triedAt: START + hours(24) + minutes(5) });
  });
});
