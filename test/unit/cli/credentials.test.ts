/** User and password of a proxy: from the environment, and from nowhere else. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { strangeVariables, type Variables } from '../../../src/cli/flags/environment.ts';
import { FLAGS } from '../../../src/cli/flags/flags.ts';
import { gatherSettings } from '../../../src/cli/flags/gather.ts';
import type { Settings } from '../../../src/cli/flags/settings.ts';
import { redactedOptions, secretsOf } from '../../../src/crawl/folder/crawl-json.ts';
import { userProxyOf } from '../../../src/crawl/opening/user-proxy.ts';
import { parseOptions } from '../../../src/options/options.ts';

const SHOWN = /not accepted[^]*\nGive the URL without them, and ORBWEAVER_PROXY_AUTH=user:password/;

function gather(flags: Readonly<Record<string, string>>, variables: Variables = {}, from = '/'): Settings {
  const given = new Map(Object.entries(flags).map(([name, text]) => [name, [text]]));
  return gatherSettings(given, variables, FLAGS, from);
}

test.each(['http://qzw8me:qzw8pw@h:1', 'socks5://qzw8me@h', 'https://:qzw8pw@h'])(
  'a flag that holds them is refused with the cure, and not repeated: %s',
  (proxy) => {
    const refusal = (): Settings => gather({ proxy });
    expect(refusal).toThrow(/--proxy: /);
    expect(refusal).not.toThrow(/qzw8/);
    if (!proxy.includes('/:')) expect(refusal).toThrow(SHOWN);
  },
);

test('a config file that holds them is refused in the same way', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-credentials-'));
  try {
    await writeFile(join(folder, 'c.yaml'), 'proxy: http://qzw8me:qzw8pw@h:1\n');
    const refusal = (): Settings => gather({ config: 'c.yaml' }, {}, folder);
    expect(refusal).toThrow(SHOWN);
    expect(refusal).not.toThrow(/qzw8/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.each<[string, Readonly<Record<string, string>>, Variables, string]>([
  ['a variable for them', { proxy: 'http://h:1' }, { ORBWEAVER_PROXY_AUTH: 'a@b:c:d/%' }, 'a@b:c:d/%'],
  ['the URL of the environment', {}, { ORBWEAVER_PROXY: 'http://a%40b:c%3Ad@h:1' }, 'a@b:c:d'],
  ['the variable before the URL', {}, { ORBWEAVER_PROXY: 'http://x:y@h:1', ORBWEAVER_PROXY_AUTH: 'a:b' }, 'a:b'],
  ['a user alone', { proxy: 'socks5h://h:1' }, { ORBWEAVER_PROXY_AUTH: 'a' }, 'a:'],
])('they are taken from %s', (_title, flags, variables, expected) => {
  const { credential, name } = userProxyOf(gather(flags, variables)) ?? {};
  expect([`${credential?.username}:${credential?.password}`, name?.endsWith('://h:1')]).toEqual([expected, true]);
});

test('they set nothing without a proxy, and their variable is a known one', () => {
  const variables = { ORBWEAVER_PROXY_AUTH: 'a:b' };
  expect(gather({}, variables)).toEqual({});
  expect(strangeVariables(variables, FLAGS)).toEqual([]);
});

test('they are not repeated where the environment holds what is not accepted', () => {
  for (const variables of [
    { ORBWEAVER_PROXY: 'ftp://qzw8me:qzw8pw@h' },
    { ORBWEAVER_PROXY: 'http://h', ORBWEAVER_PROXY_AUTH: ':qzw8pw' },
    { ORBWEAVER_PROXY: 'socks5://h', ORBWEAVER_PROXY_AUTH: `qzw8me:${'x'.repeat(300)}` },
  ]) {
    expect(() => gather({}, variables)).toThrow(/^ORBWEAVER_PROXY\w*: the value given is not accepted \(/);
    expect(() => gather({}, variables)).not.toThrow(/qzw8/);
  }
});

test('crawl.json names the proxy without them, and logs hide them in every form', () => {
  const options = parseOptions({ seeds: ['https://example.org/'], proxy: 'http://me:qzw8%40pw@proxy.example:3128' });
  expect(redactedOptions(options)['proxy']).toBe('http://proxy.example:3128');
  expect(secretsOf(options)).toEqual(['qzw8@pw', Buffer.from('me:qzw8@pw').toString('base64')]);
  expect(() => parseOptions({ seeds: ['https://example.org/'], proxy: 'http://me:qzw8@pw@/' })).toThrow(
    /^proxy: the value given is not accepted: its host or port is not valid$/,
  );
});

test('crawl.json names the endpoint of a browser without the token in its query', () => {
  const browser = 'wss://me:qzw8@browsers.example/playwright?token=qzw8token&launch=1';
  const shown = redactedOptions(parseOptions({ seeds: ['https://example.org/'], browser, ungatedBrowser: true }));
  expect(shown['browser']).toBe('wss://browsers.example/playwright?token=REDACTED&launch=1');
});
