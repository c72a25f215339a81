import { describe, expect, test } from 'vitest';
import { epochMs } from '../../../../src/base/units.ts';
import {
  domainsOf,
  expiredAt,
  parseStorageState,
  secretsOfState,
  stateOfDomain,
  withUnaskedOf,
  withStateOfDomain,
} from '../../../../src/core/sign-in/storage-state.ts';
import { registrableDomainOf, storedHostKey } from '../../../../src/model/url/host-key.ts';

const EXAMPLE = registrableDomainOf(storedHostKey('https://www.example.co.uk'));
const OTHER = registrableDomainOf(storedHostKey('https://other.test'));
const STATE = parseStorageState(
  JSON.stringify({
    cookies: [
      { name: 'sid', value: 'a-long-secret', domain: '.example.co.uk', path: '/' },
      { name: 'lang', value: 'en', domain: 'shop.example.co.uk', expires: 1_800_000_000.5 },
      { name: 'id', value: 'for-another', domain: 'other.test', sameSite: 'None', secure: true },
    ],
    origins: [
      { origin: 'https://app.example.co.uk:8443', localStorage: [{ name: 'token', value: 'kept-locally' }] },
      { origin: 'chrome://version', localStorage: [] },
    ],
  }),
);
if (STATE === null) throw new Error('not read');

describe('the text of a file', () => {
  test.each(['', 'sid=1', '[]', 'null', '1', '{"cookies":1}', '{"cookies":[{"name":"a"}]}', '{"origins":[{}]}'])(
    '%s is no storage state',
    (text) => expect(parseStorageState(text)).toBeNull(),
  );

  test('what may be left out has the value that a browser gives it', () => {
    expect(STATE.cookies[0]).toEqual({
      name: 'sid',
      value: 'a-long-secret',
      domain: '.example.co.uk',
      path: '/',
      expires: -1,
      httpOnly: false,
      secure: false,
      sameSite: 'Lax',
    });
    expect(parseStorageState('{}')).toEqual({ cookies: [], origins: [] });
  });
});

describe('what Playwright saves besides', () => {
  const store = {
    name: 's',
    autoIncrement: false,
    keyPath: 'k',
    records: [{ value: { k: 'a', t: ['x'.repeat(20)] } }],
  };
  const database = { name: 'auth', version: 2, stores: [{ ...store, indexes: [] }] };
  const saved = {
    cookies: [
      {
        ...{ name: 'sid', value: 'a', domain: 'a.test', path: '/', expires: -1, httpOnly: true, secure: true },
        ...{ sameSite: 'None', partitionKey: 'https://a.test', _crHasCrossSiteAncestor: false },
      },
    ],
    origins: [{ origin: 'https://a.test', localStorage: [], indexedDB: [database] }],
  };
  const state = parseStorageState(JSON.stringify(saved));

  test('is read: databases, and the partitions of cookies', () => {
    expect(state).toEqual(saved);
    const broken = { origins: [{ origin: 'https://a.test', indexedDB: [{ name: 'auth' }] }] };
    expect(parseStorageState(JSON.stringify(broken))).toBeNull();
  });

  test('databases stay beside what a browser has stored since, and their tokens are secrets', () => {
    const local = [{ name: 'token', value: 'kept-locally' }];
    const elsewhere = { origin: 'https://b.a.test', localStorage: local };
    const before = state ?? { cookies: [], origins: [] };
    expect(withUnaskedOf(before, { cookies: [], origins: [elsewhere] }).origins).toEqual([
      elsewhere,
      { origin: 'https://a.test', localStorage: [], indexedDB: [database] },
    ]);
    const later = withUnaskedOf(before, {
      cookies: [],
      origins: [{ origin: 'https://a.test', localStorage: local }],
    });
    expect(later.origins).toEqual([{ origin: 'https://a.test', localStorage: local, indexedDB: [database] }]);
    expect(secretsOfState(later)).toEqual(['x'.repeat(20), 'kept-locally']);
  });
});

test('session storage is read, stays beside what a browser has stored since, and its values are secrets', () => {
  const sessionStorage = [{ name: 'token', value: 'kept-in-tabs' }];
  const origin = { origin: 'https://a.test', localStorage: [], sessionStorage };
  const state = parseStorageState(JSON.stringify({ origins: [origin] })) ?? { cookies: [], origins: [] };
  expect(state.origins).toEqual([origin]);
  expect(withUnaskedOf(state, { cookies: [], origins: [] }).origins).toEqual([origin]);
  expect(secretsOfState(state)).toEqual(['kept-in-tabs']);
  expect(expiredAt(state, epochMs(0))).toBeNull();
});

test('a domain gets what is its own, subdomains included, and nothing else', () => {
  expect(domainsOf(STATE)).toEqual([EXAMPLE, OTHER]);
  const part = stateOfDomain(STATE, EXAMPLE);
  expect(part?.cookies.map(({ name }) => name)).toEqual(['sid', 'lang']);
  expect(part?.origins.map(({ origin }) => origin)).toEqual(['https://app.example.co.uk:8443']);
  expect(stateOfDomain(STATE, registrableDomainOf(storedHostKey('https://co.uk')))).toBeNull();
});

test('a domain replaces its own part and no other', () => {
  const [, , foreign] = STATE.cookies;
  if (foreign === undefined) throw new Error('no cookie');
  const fresh = { ...foreign, value: 'stolen' };
  const own = { ...foreign, domain: 'example.co.uk', value: 'renewed' };
  const changed = withStateOfDomain(STATE, EXAMPLE, { cookies: [fresh, own], origins: [] });
  expect(changed.cookies).toEqual([foreign, own]);
  expect(stateOfDomain(changed, OTHER)).toEqual(stateOfDomain(STATE, OTHER));
});

test('a state has expired with the last of its cookies, and never where it has local storage', () => {
  const [sid, lang] = STATE.cookies;
  if (sid === undefined || lang === undefined) throw new Error('no cookies');
  const [before, after] = [epochMs(1_799_999_999_000), epochMs(1_800_000_001_000)];
  const only = { cookies: [lang], origins: [] };
  expect([expiredAt(only, before), expiredAt(only, after)]).toEqual([null, 1_800_000_000_500]);
  expect(expiredAt({ cookies: [lang, sid], origins: [] }, after)).toBeNull();
  expect(expiredAt({ ...only, origins: STATE.origins }, after)).toBeNull();
  expect(expiredAt({ cookies: [], origins: [] }, after)).toBeNull();
});

test('its values are secrets, but for short words that stand everywhere', () => {
  expect(secretsOfState(STATE)).toEqual(['a-long-secret', 'for-another', 'kept-locally']);
});
