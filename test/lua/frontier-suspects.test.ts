/** Pages that were being visited when the program ended suddenly: how they are reported, and how they are visited afterwards. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOTAL_CREDIT } from '../../src/base/units.ts';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Visit } from '../../src/model/visit.ts';
import { at, leaseOne, request, seed, commit, visited } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const open = (): Promise<Frontier> => openFrontier({ client: redis.client, keys: redis.keys(), state: 'new' });

/** A frontier with one page on each of that many hosts. */
async function openWith(count: number): Promise<Frontier> {
  const frontier = await open();
  await frontier.admit(
    Array.from({ length: count }, (_, index) => seed(`https://h${index}.example/`)),
    [],
    at(0),
  );
  return frontier;
}

async function leaseMany(frontier: Frontier, time: number, count: number): Promise<readonly Visit[]> {
  const reply = await frontier.lease(request(time, { count }));
  return reply.kind === 'leased' ? reply.visits : [];
}

async function beginAll(frontier: Frontier, visits: readonly Visit[]): Promise<void> {
  for (const { token } of visits) await frontier.begin(token, at(90_000));
}

test('a sudden end is told of each page whose visit had begun, and of none that was only leased', async () => {
  const frontier = await openWith(3);
  const visits = await leaseMany(frontier, 0, 3);
  const [first, second, handed] = visits.map(({ url }) => url);
  await beginAll(frontier, visits.slice(0, 2));
  expect(await frontier.reclaim('died', at(1), at(1))).toEqual({ taken: 3, suspects: [first, second] });
  const again = [await leaseOne(frontier, 1)];
  await frontier.commit(again[0]!, visited(again[0]!), at(2));
  again.push(await leaseOne(frontier, 2));
  await frontier.commit(again[1]!, visited(again[1]!), at(3));
  again.push(await leaseOne(frontier, 3));
  expect(again.map(({ url, attempt, deaths }) => ({ url, attempt, deaths }))).toEqual([
    { url: first, attempt: 1, deaths: 1 },
    { url: second, attempt: 1, deaths: 1 },
    { url: handed, attempt: 1, deaths: 0 },
  ]);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('a suspect is visited alone, however many slots are free, and with it done the others go on together', async () => {
  const frontier = await openWith(6);
  const visits = await leaseMany(frontier, 0, 2);
  await beginAll(frontier, visits);
  await frontier.reclaim('died', at(1), at(1));
  for (let time = 2; time < 4; time += 1) {
    const [alone, ...others] = await leaseMany(frontier, time, 4);
    expect([alone?.deaths, others]).toEqual([1, []]);
    expect(await frontier.lease(request(time, { count: 4 }))).toEqual({
      kind: 'nothing-due',
      nextDue: at(time + 1000),
    });
    expect(await frontier.totals()).toMatchObject({ leased: 1 });
    if (alone !== undefined) await frontier.commit(alone, visited(alone), at(time));
  }
  const rest = await leaseMany(frontier, 4, 4);
  expect(rest.map(({ deaths }) => deaths)).toEqual([0, 0, 0, 0]);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('a suspect whose host is not due lets others go first, and waits for them to end when it is', async () => {
  const frontier = await openWith(3);
  const [suspect] = await leaseMany(frontier, 0, 1);
  await beginAll(frontier, suspect === undefined ? [] : [suspect]);
  await frontier.reclaim('died', at(1), at(5000));
  const [other, third] = await leaseMany(frontier, 2, 4);
  expect([other?.deaths, third?.deaths]).toEqual([0, 0]);
  expect(await frontier.lease(request(3))).toEqual({ kind: 'nothing-due', nextDue: at(5000) });
  expect(await frontier.lease(request(5000))).toEqual({ kind: 'nothing-due', nextDue: at(6000) });
  for (const visit of [other, third]) if (visit !== undefined) await frontier.commit(visit, visited(visit), at(5001));
  expect(await leaseOne(frontier, 5002)).toMatchObject({ url: suspect?.url, deaths: 1 });
});

test('three sudden ends with the culprit in flight make its neighbours suspects once, and it three times', async () => {
  const frontier = await openWith(12);
  const culprit = 'https://h0.example/';
  const most = new Map<string, number>();
  let done = false;
  for (let time = 0; time < 300 && !done; time += 1) {
    const visits = await leaseMany(frontier, time * 2000, 4);
    for (const { url, deaths } of visits) most.set(url, deaths);
    await beginAll(frontier, visits);
    const killer = visits.find(({ url, deaths }) => url === culprit && deaths < 3);
    if (killer !== undefined) await frontier.reclaim('died', at(time * 2000), at(time * 2000));
    else for (const visit of visits) await frontier.commit(visit, visited(visit), at(time * 2000 + 1));
    done = (await frontier.totals()).visited === 12;
  }
  expect(done).toBe(true);
  expect(most.get(culprit)).toBe(3);
  expect(Math.max(...[...most].filter(([url]) => url !== culprit).map(([, deaths]) => deaths))).toBe(1);
  expect(await frontier.audit()).toBe(TOTAL_CREDIT);
});

test('a suspect that is tried again or given back is visited alone again', async () => {
  const frontier = await openWith(3);
  await beginAll(frontier, await leaseMany(frontier, 0, 1));
  await frontier.reclaim('died', at(1), at(1));
  const suspect = await leaseOne(frontier, 2);
  await frontier.commit(suspect, commit({ kind: 'retry', due: at(500) }), at(3));
  expect(await frontier.stateOf(suspect.url)).toMatchObject({ kind: 'queued', attempt: 1, due: at(500) });
  const retried = await leaseMany(frontier, 600, 4);
  expect(retried.map(({ url, attempt, deaths }) => [url, attempt, deaths])).toEqual([[suspect.url, 2, 1]]);
  await frontier.release(retried[0]?.token ?? 0, at(601));
  expect(await frontier.stateOf(suspect.url)).toMatchObject({ kind: 'queued', attempt: 1, due: null });
  expect((await leaseMany(frontier, 601, 4)).map(({ url }) => url)).toEqual([suspect.url]);
});

test('what is under way when the user stops the crawl is not to blame for its end', async () => {
  const frontier = await openWith(2);
  const visits = await leaseMany(frontier, 0, 2);
  await beginAll(frontier, visits);
  await frontier.stopping();
  await frontier.renew(visits[0]?.token ?? 0, at(100_000));
  expect(await frontier.reclaim('died', at(1), at(1))).toEqual({ taken: 2, suspects: [] });
});
