import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CrawlError } from '../../../src/base/errors.ts';
import { readConfigFile } from '../../../src/cli/flags/config-file.ts';
import { FLAGS } from '../../../src/cli/flags/flags.ts';
import type { Settings } from '../../../src/cli/flags/settings.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'orbweaver-config-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function read(content: string | Buffer, name = 'c.yaml'): Settings {
  writeFileSync(join(folder, name), content);
  return readConfigFile(join(folder, name), name, FLAGS);
}

function refusal(content: string | Buffer): CrawlError {
  try {
    read(content);
  } catch (error) {
    if (error instanceof CrawlError) return error;
    throw error;
  }
  throw new Error('the file was accepted');
}

describe('a config file', () => {
  test('sets flags under their names, in YAML', () => {
    const yaml = `
# a comment
url: [https://example.org/, ./dist]
depth: 3
delay: 500ms
page-timeout: 90
rate-limit: 0.5
exclude:
  - /private/
  - \\?sort=
snapshot: html,screenshot
header: 'X-A: 1'
no-robots: true
full-page: false
`;
    expect(read(yaml)).toEqual({
      urls: ['https://example.org/', './dist'],
      depth: 3,
      delay: 500,
      pageTimeout: 90_000,
      rateLimit: 0.5,
      exclude: ['/private/', '\\?sort='],
      snapshot: ['html', 'screenshot'],
      headers: ['X-A: 1'],
      robots: false,
      fullPage: false,
    });
  });

  test('sets flags in JSON', () => {
    expect(read('{"depth": 3, "snapshot": ["html", "text"], "settle": "2s"}', 'c.json')).toEqual({
      depth: 3,
      snapshot: ['html', 'text'],
      settle: { kind: 'after', duration: 2000 },
    });
  });

  test.each(['', '# nothing\n', '{}', 'depth:\n', 'depth: null'])(
    'sets nothing where it says nothing: %j',
    (content) => {
      expect(read(content)).toEqual({});
    },
  );

  test.each([
    ['depht: 3', /^c\.yaml: unknown key "depht"\.\nDid you mean depth\?/],
    ['pageTimeout: 3', /unknown key "pageTimeout"\.\nDid you mean page-timeout\?/],
    ['page_timeout: 3', /Did you mean page-timeout\?/],
    ['--depth: 3', /Did you mean depth\?/],
    ['maxPages: 30', /Did you mean limit\?/],
    ['max-pagez: 30', /Did you mean limit\?/],
    ['xyzzy: 3', /unknown key "xyzzy"\.\nAccepted: the names of flags without dashes/],
    ['robots: false', /unknown key "robots"\.\n/],
    ['config: other.yaml', /unknown key "config"/],
    ['__proto__: 3', /unknown key/],
    ['"\\e[2Jdepth": 3', /unknown key "/],
  ])('refuses the key of %j', (content, message) => {
    const error = refusal(content);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('\u001b');
  });

  test.each([
    ['depth: "3"', /^c\.yaml: depth: "3" is not accepted\.\nAccepted: a number: a whole number from 0 to 10000/],
    ['depth: three', /depth: "three"/],
    ['depth: true', /depth: true/],
    ['depth: [3]', /depth: \[3\]/],
    ['depth: {a: 1}', /depth: \{"a":1\}/],
    ['delay: true', /delay: true .*\nAccepted: a number or a text: a duration/],
    ['no-robots: 1', /no-robots: 1 .*\nAccepted: true or false\.$/],
    ['no-robots: "yes"', /no-robots: "yes"/],
    ['scope: 5', /scope: 5 /],
    ['scope: [host]', /scope: \["host"\]/],
    ['include: [1]', /include: \[1\]/],
    ['include: {a: b}', /include:/],
    ['output: 2026-01-02\nviewport: 5', /viewport: 5/],
  ])('refuses the type of %j', (content, message) => {
    const error = refusal(content);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toMatch(message);
  });

  test.each([
    ['depth: -1', /^c\.yaml: depth: "-1" is not accepted\.\nAccepted: a whole number from 0/],
    ['depth: 1.5', /depth: "1\.5"/],
    ['depth: .inf', /depth: "Infinity"/],
    ['scope: site', /scope: "site" is not accepted\.\nAccepted: one of page, prefix/],
    ['include: ["("]', /include: "\(" is not accepted \(Invalid regular expression/],
    ['delay: 5 min', /delay: "5 min"/],
  ])('refuses the value of %j', (content, message) => {
    const error = refusal(content);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toMatch(message);
  });

  test.each([
    ['a: [', /neither YAML nor JSON/],
    ['depth: 1\ndepth: 2', /neither YAML nor JSON: .*unique at line 2, column 1\.\n/i],
    ['\tdepth: 1', /neither YAML nor JSON/],
    ['- depth', /is not accepted\.\nAccepted: keys with values/],
    ['just text', /"just text" is not accepted/],
    ['42', /42 is not accepted/],
    [`a: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nd: [${'*c,'.repeat(50)}]`, /alias/i],
    [Buffer.from([0xff, 0xfe, 0x00]), /not UTF-8/],
    [Buffer.alloc(1024 * 1024 + 1, 0x20), /1048577 bytes is not accepted/],
  ])('refuses what is no table of settings (%#)', (content, message) => {
    const error = refusal(content);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toMatch(message);
  });

  test('that is not there is refused by name', () => {
    expect(() => readConfigFile(join(folder, 'none.yaml'), 'none.yaml', FLAGS)).toThrow(
      /^none\.yaml: the config file cannot be read: there is no such file\./,
    );
  });

  test('that is a folder is refused', () => {
    mkdirSync(join(folder, 'd'));
    expect(() => readConfigFile(join(folder, 'd'), 'd', FLAGS)).toThrow(/it is a folder/);
  });

  test('that may not be read is refused', () => {
    writeFileSync(join(folder, 'secret.yaml'), 'depth: 1');
    chmodSync(join(folder, 'secret.yaml'), 0);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534); // root may read anything, `nobody` may not
    try {
      expect(() => readConfigFile(join(folder, 'secret.yaml'), 'secret.yaml', FLAGS)).toThrow(/permission denied/);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('does not repeat a value that may hold a password', () => {
    expect(refusal('header: {Authorization: sesame}').message).not.toContain('sesame');
    expect(refusal('redis: [sesame]').message).not.toContain('sesame');
  });
});

test('files that are looked for beside the config file are those that the document names', () => {
  const rooted = FLAGS.filter(({ type, inConfigFile }) => inConfigFile && type.rooted !== undefined).map(
    ({ name }) => name,
  );
  expect(rooted.toSorted()).toEqual(['extension', 'login', 'page-script']);
});
