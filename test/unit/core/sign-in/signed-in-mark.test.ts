import { expect, it } from 'vitest';
import { readSignedInMark } from '../../../../src/core/sign-in/signed-in-mark.ts';

it.each([
  ['selector:#user-menu', { kind: 'selector', selector: '#user-menu', contrary: false }],
  ['selector:!form.log-in', { kind: 'selector', selector: 'form.log-in', contrary: true }],
  ['selector:nav', { kind: 'selector', selector: 'nav', contrary: false }],
  ['url:!/login**', { kind: 'url', glob: '/login**', contrary: true }],
  ['cookie:PHPSESSID', { kind: 'cookie', name: 'PHPSESSID', contrary: false }],
  ['cookie: !guest', { kind: 'cookie', name: 'guest', contrary: true }],
  ['#user-menu', { kind: 'selector', selector: '#user-menu', contrary: false }],
  ['a[href="/me"]', { kind: 'selector', selector: 'a[href="/me"]', contrary: false }],
  ['!/login**', { kind: 'url', glob: '/login**', contrary: true }],
  ['https://a.test/home*', { kind: 'url', glob: 'https://a.test/home*', contrary: false }],
  ['session_id', { kind: 'cookie', name: 'session_id', contrary: false }],
])('%s is read as the mark that it means', (text, mark) => expect(readSignedInMark(text)).toEqual(mark));

it.each([
  ['', 'it names nothing'],
  ['selector:', 'it names nothing'],
  ['url:!', 'it names nothing'],
  ['!url:/login**', '! stands behind the colon: url:!…'],
  [' ! cookie:guest', '! stands behind the colon: cookie:!…'],
  ['cookie:a b', 'no cookie can have this name'],
  [`#${'a'.repeat(1000)}`, 'it is longer than 1000 characters'],
])('%.20s is refused', (text, why) => expect(readSignedInMark(text)).toEqual({ kind: 'refused', why }));
