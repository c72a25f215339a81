import { describe, expect, it } from 'vitest';
import { resumedOptions, withServedFolders } from '../../../src/crawl/folder/resumed-options.ts';

const seeds = ['https://example.org/'];

describe('the options of a crawl that is resumed', () => {
  it('are those of the folder, under those that are given anew', () => {
    expect(resumedOptions({ seeds, limit: 10, depth: 2 }, { limit: 20, depth: undefined })).toEqual({
      seeds,
      limit: 20,
      depth: 2,
    });
  });

  it.each([
    ['a program', { browser: '/tmp/evil' }, 'browser', '/tmp/evil'],
    ['a program in PATH', { browser: 'evil' }, 'browser', 'evil'],
    ['an endpoint', { browser: 'ws://192.0.2.1:9222/' }, 'browser', 'ws://192.0.2.1:9222/'],
    ['what is no text', { browser: { toString: 1 } }, 'browser', 'toString'],
    ['a Redis elsewhere', { redis: 'redis://192.0.2.1/' }, 'redis', '192.0.2.1'],
    ['a Redis whose name only begins like ours', { redis: 'redis://127.0.0.1.example.org/' }, 'redis', 'example.org'],
    ['a proxy', { proxy: 'http://127.0.0.1:3128' }, 'proxy', 'http://127.0.0.1:3128'],
    ['a log-in', { login: 'login.yaml' }, 'login', 'login.yaml'],
    ['a password', { httpAuth: ['(redacted)@a.test', '(redacted)@b.test'] }, 'httpAuth', 'a.test, b.test'],
    ['page scripts', { pageScripts: ['**=/tmp/evil.mjs'] }, 'pageScripts', '/tmp/evil.mjs'],
    ['extensions', { extensionFiles: ['/tmp/evil.mjs'] }, 'extensionFiles', '/tmp/evil.mjs'],
    [
      'headers without their values',
      { headers: ['X-Vault-Token: (redacted)', 'A: (redacted)'] },
      'headers',
      'X-Vault-Token, A',
    ],
  ])('need %s given again', (_title, stored, option, words) => {
    expect(() => resumedOptions({ seeds, ...stored }, {})).toThrow(
      expect.objectContaining({ code: 'USAGE', data: { option }, message: expect.stringContaining(words) as string }),
    );
  });

  it('let no browser past the egress gate because the folder says so', () => {
    const browser = 'ws://127.0.0.1:9222/';
    const stored = { seeds, browser, ungatedBrowser: true };
    expect(resumedOptions(stored, { browser })['ungatedBrowser']).toBeUndefined();
    expect(resumedOptions(stored, { browser, ungatedBrowser: true })).toMatchObject({ ungatedBrowser: true });
  });

  it('have the consent that the crawl began with, and no other', () => {
    expect(resumedOptions({ seeds, consent: 'reject' }, { consent: 'reject' })).toMatchObject({ consent: 'reject' });
    for (const stored of [{ consent: 'reject' }, {}])
      expect(() => resumedOptions({ seeds, ...stored }, { consent: 'accept' })).toThrow(
        expect.objectContaining({ code: 'USAGE', data: { option: 'consent' } }),
      );
  });

  it('count politeness for each egress address, or for all together, as the crawl began', () => {
    const perEgressAddress = true;
    expect(resumedOptions({ seeds, perEgressAddress }, {})).toMatchObject({ perEgressAddress });
    expect(resumedOptions({ seeds, perEgressAddress }, { perEgressAddress })).toMatchObject({ perEgressAddress });
    for (const [stored, anew] of [
      [{}, { perEgressAddress }],
      [{ perEgressAddress }, { perEgressAddress: false }],
    ])
      expect(() => resumedOptions({ seeds, ...stored }, { ...anew })).toThrow(
        expect.objectContaining({ code: 'USAGE', data: { option: 'perEgressAddress' } }),
      );
  });

  it('need every header given again, whatever the case of its name, and not what stands in its place', () => {
    const stored = { headers: ['Authorization: (redacted)', 'Cookie: (redacted)'] };
    expect(() => resumedOptions(stored, { headers: ['authorization: Bearer 1'] })).toThrow(/Cookie\n/);
    expect(() => resumedOptions({ ...stored, seeds }, {})).toThrow(/meant for https:\/\/example\.org\./);
    const elsewhere = { ...stored, seeds, headerOrigins: ['https://evil.test'] };
    expect(() => resumedOptions(elsewhere, {})).toThrow(/meant for https:\/\/evil\.test\./);
    expect(resumedOptions(stored, { headers: ['authorization: Bearer 1', 'COOKIE: a=1'] })).toMatchObject({
      headers: ['authorization: Bearer 1', 'COOKIE: a=1'],
    });
    expect(() => resumedOptions(stored, { headers: stored.headers })).toThrow(/is not one/);
  });

  it('take what is given again, and a Redis of this machine', () => {
    const stored = { browser: '/tmp/evil', redis: 'redis://127.0.0.1:6380/' };
    expect(resumedOptions(stored, { browser: '/usr/bin/chromium' })).toEqual({
      ...stored,
      browser: '/usr/bin/chromium',
    });
    const scripts = { pageScripts: ['**=/tmp/evil.mjs'], extensionFiles: [] };
    expect(resumedOptions(scripts, { pageScripts: ['**=/home/me/own.mjs'] })).toMatchObject({
      pageScripts: ['**=/home/me/own.mjs'],
    });
  });
});

describe('folders among the seeds of a crawl that is resumed', () => {
  const served = [{ folder: '/home/a/site' }, { folder: '/home/b' }];

  it('are those that were served, whatever the working folder is now', () => {
    const stored = { seeds: ['./site', 'HTTP://a.test/', '../b'], depth: 2 };
    expect(withServedFolders(stored, served)).toEqual({
      seeds: ['/home/a/site', 'HTTP://a.test/', '/home/b'],
      depth: 2,
    });
  });

  it('stay as they are where crawl.json does not say which were served', () => {
    for (const seeds of [['./site'], ['./site', './b', './site'], 'site', undefined])
      expect(withServedFolders({ seeds }, served)).toEqual({ seeds });
  });
});
