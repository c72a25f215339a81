/** A crawl that a site takes for one of its users does no harm to that user. */
import { expect, test } from 'vitest';
import { FixtureServer } from '../render/fixture-server.ts';
import { runCrawl } from '../support/crawl-run.ts';

const MENU =
  '<a href=/a>a</a><a href=/logout>Log out</a><a href="/admin/7/delete">Delete</a><a href="/b?_wpnonce=1">b</a>';

test.each([
  ['a cookie in a header', { headers: ['Cookie: sid=one'] }],
  ['a token in a header', { headers: ['Authorization: Bearer one'] }],
  ['a password', { httpAuth: ['me:secret@127.0.0.1'] }],
])('with %s no link is visited that signs out or changes something', async (_what, options) => {
  await using site = await FixtureServer.open({ '/': MENU, '/a': MENU });
  const { httpAuth = [], ...rest } = { httpAuth: [], ...options };
  const auth = httpAuth.map((text) => `${text}:${new URL(site.url('/')).port}`);
  const given = { seeds: [site.url('/')], delay: 0, render: 'never', httpAuth: auth, ...rest } as const;
  const run = await runCrawl(given);
  const skipped = [...run.skipped.values()].map(({ url, reason }) => [url.replace(site.url('/'), '/'), reason]);
  expect(skipped.filter(([, reason]) => reason !== 'probe').toSorted()).toEqual([
    ['/admin/7/delete', 'acts'],
    ['/b?_wpnonce=1', 'acts'],
    ['/logout', 'signs-out'],
  ]);
  expect(site.paths().filter((path) => /logout|delete|nonce/.test(path))).toEqual([]);
});
