import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLoginFile } from '../../../src/crawl/sign-in/login-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-login-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const variables = {
  PASSWORD: 'qzw8-pass',
  CODE: 'GEZDGNBVGY3TQOJQ',
  WRONG: 'qzw8 no base32',
  SITE: 'https://staging.test',
  NAME: 'alice',
  LINK: 'https://staging.test/magic/qzw8',
};
const read = async (content: string, name = 'login.yaml') => {
  await writeFile(join(folder, name), content);
  return readLoginFile(name, { workingFolder: folder, variables, start: 'https://a.test/start' });
};

describe('a file of steps', () => {
  it('is read with the values of the environment, and begins at its address', async () => {
    const file = await read(
      [
        'url: /login',
        'timeout: 3',
        'steps:',
        '  - { fill: "#user", with: alice, at: "https://a.test/**" }',
        '  - { fill: "#pass", with: "x${env:PASSWORD}", timeout: 0.5 }',
        '  - { fill: "#code", totp: "${env:CODE}" }',
        '  - { press: Enter, on: "#code" }',
        '  - { wait: 2 }',
        '  - { wait: { url: "/home**" } }',
        '  - { wait: "#menu" }',
        '  - { goto: ./more }',
      ].join('\n'),
    );
    expect(file.secrets).toEqual(['qzw8-pass', 'GEZDGNBVGY3TQOJQ']);
    if (file.way.kind !== 'steps') throw new Error('no steps');
    expect(file.way.steps.map(({ at }) => at).slice(0, 3)).toEqual([null, 'https://a.test/**', null]);
    expect(file.way.steps.map(({ number, words, timeout, action }) => [number, words, timeout, action])).toEqual([
      [0, 'goto /login', 3000, { kind: 'goto', url: 'https://a.test/login' }],
      [1, 'fill "#user"', 3000, { kind: 'fill', selector: '#user', value: 'alice' }],
      [2, 'fill "#pass"', 500, { kind: 'fill', selector: '#pass', value: 'xqzw8-pass' }],
      [3, 'fill "#code"', 3000, { kind: 'totp', selector: '#code', secret: expect.objectContaining({ digits: 6 }) }],
      [4, 'press Enter', 3000, { kind: 'press', key: 'Enter', selector: '#code' }],
      [5, 'wait 2 s', 3000, { kind: 'wait-time', time: 2000 }],
      [6, 'wait url "/home**"', 3000, { kind: 'wait-url', glob: '/home**' }],
      [7, 'wait "#menu"', 3000, { kind: 'wait-for', selector: '#menu' }],
      [8, 'goto ./more', 3000, { kind: 'goto', url: 'https://a.test/more' }],
    ]);
  });

  it('has variables in its addresses and selectors, too; an origin is no secret', async () => {
    const file = await read(
      [
        'url: "${env:SITE}/login"',
        'steps:',
        '  - { click: "text=${env:NAME}", at: "${env:SITE}/**" }',
        '  - { fill: "#of-${env:NAME}", with: "${env:PASSWORD}" }',
        '  - { press: Enter, on: "#of-${env:NAME}" }',
        '  - { goto: "${env:LINK}" }',
        '  - { wait: "#${env:NAME}" }',
        '  - { wait: { url: "${env:SITE}/home" } }',
      ].join('\n'),
    );
    if (file.way.kind !== 'steps') throw new Error('no steps');
    expect(new Set(file.secrets)).toEqual(new Set(['qzw8-pass', 'alice', 'https://staging.test/magic/qzw8']));
    expect(file.way.steps.map(({ action, at }) => [action, at])).toEqual([
      [{ kind: 'goto', url: 'https://staging.test/login' }, null],
      [{ kind: 'click', selector: 'text=alice' }, 'https://staging.test/**'],
      [{ kind: 'fill', selector: '#of-alice', value: 'qzw8-pass' }, null],
      [{ kind: 'press', key: 'Enter', selector: '#of-alice' }, null],
      [{ kind: 'goto', url: 'https://staging.test/magic/qzw8' }, null],
      [{ kind: 'wait-for', selector: '#alice' }, null],
      [{ kind: 'wait-url', glob: 'https://staging.test/home' }, null],
    ]);
  });

  it('begins at the first seed, or where its first step goes', async () => {
    const firstOf = async (content: string) => {
      const { way } = await read(content);
      return way.kind === 'steps' ? way.steps[0]?.action : null;
    };
    expect(await firstOf('steps: [{ click: a }]')).toEqual({ kind: 'goto', url: 'https://a.test/start' });
    expect(await firstOf('steps: [{ goto: "https://b.test/" }]')).toEqual({ kind: 'goto', url: 'https://b.test/' });
  });

  it.each([
    ['steps: [', /is no YAML: line 1/],
    ['- 1', /"steps", a list/],
    ['steps: []', /steps: /],
    ['step: [{ click: a }]', /"steps", a list/],
    [
      'steps: [{ click: a }, { clik: b }]',
      /step 2: it has no verb.*\nA step is one of goto, fill, click, press or wait/,
    ],
    ['steps: [{ click: a, press: b }]', /step 1: it has no verb, or several/],
    ['steps: [{ click: a, with: b }]', /step 1: .*"with"/],
    ['steps: [{ fill: a }]', /step 1: it needs either "with" or "totp".*\nAs in/],
    ['steps: [{ fill: a, with: "${env:NOWHERE}" }]', /step 1: the variable NOWHERE is not set/],
    [
      'url: "${env:NOWHERE}/login"\nsteps: [{ click: a }]',
      /"login\.yaml" is not accepted: the variable NOWHERE is not set/,
    ],
    ['steps: [{ goto: "${env:NOWHERE}/login" }]', /step 1: the variable NOWHERE is not set/],
    [
      'steps: [{ fill: a, totp: GEZDGNBVGY3TQOJQ }]',
      /step 1: the secret of one-time passwords stands in the file.*\nWrite totp: \$\{env:NAME\}/,
    ],
    ['steps: [{ fill: a, totp: "${env:WRONG}" }]', /step 1: the variable of \$\{env:WRONG\} holds no secret/],
    ['steps: [{ goto: "ftp://a.test/" }]', /step 1: "ftp:\/\/a\.test\/" is no http\(s\) URL/],
    ['steps: [{ wait: { url: "home" } }]', /step 1: the glob matches no URL/],
    ['steps: [{ click: a, at: "a.test" }]', /step 1: the glob of "at" matches no URL/],
    ['steps: [{ wait: -1 }]', /step 1: /],
  ])('is refused for %s, without a secret in the message', async (content, message) => {
    const reading = read(content);
    await expect(reading).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) });
    await expect(reading).rejects.not.toMatchObject({ message: expect.stringMatching(/qzw8|GEZDG/) });
  });

  it('that is not there is refused', async () => {
    const place = { workingFolder: folder, variables, start: 'https://a.test/' };
    await expect(readLoginFile('no.yaml', place)).rejects.toThrow(/"no\.yaml".*there is no such file/);
    await expect(readLoginFile('no.mjs', place)).rejects.toThrow(/there is no file/);
    await expect(read('export const x = 1;', 'wrong.mjs')).rejects.toThrow(/default export is no function/);
  });
});
