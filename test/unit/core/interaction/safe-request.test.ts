import { expect, test } from 'vitest';
import { isCodeRequest, isSafeRequest } from '../../../../src/core/interaction/safe-request.ts';

const asks = (method: string, url = 'http://a.test/x', body: string | null = null): boolean =>
  isSafeRequest({ method, url, body });

test.each(['GET', 'HEAD', 'OPTIONS', 'get'])('%s only asks', (method) => expect(asks(method)).toBe(true));

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'LINK', 'SOMETHING'])('%s may change something', (method) =>
  expect(asks(method)).toBe(false),
);

test.each([
  ...['/logout', '/api/delete?id=3', '/list?action=remove', '/cart/add-to-cart/3'],
  ...['/users/sign_out', '/accounts/log_out/', '/auth/sign-off', '/connect/endsession', '/cart?add_to_cart=3'],
  ...['/api/deleteItem?id=3', '/addToCart/3', '/api/signOutUser', '/list?action=removeRow'],
])('GET %s reads as if it did harm', (path) => expect(asks('GET', `http://a.test${path}`)).toBe(false));

test.each([
  ...['/posts', '/orders', '/deleted', '/search?q=delete+me+not', '/api/getDeletedItems', '/sign_outs'],
  ...['/assets/RemoveDialog-3f2a.js', '/removeItem.css?v=3'],
])('GET %s only asks', (path) => expect(asks('GET', `http://a.test${path}`)).toBe(true));

test.each([
  ['{"query":"{ items { url } }"}', true],
  ['{"query":"query Items($n: Int) { items(n: $n) { url } }","variables":{"n":3}}', true],
  ['{"query":"fragment F on T { a } query Q { ...F }"}', true],
  ['{"query":"# mutation\\n{ a(text: \\"mutation\\") }"}', true],
  ['[{"query":"{ a }"},{"query":"{ b }"}]', true],
  ['{"query":"mutation { remove(id: 3) }"}', false],
  ['{"query":"query Q { a } mutation M { b }","operationName":"M"}', false],
  ['{"query":"subscription { a }"}', false],
  ['[{"query":"{ a }"},{"query":"mutation { b }"}]', false],
  ['[]', false],
  ['{"query":"shoes","page":2}', false],
  ['{"a":1}', false],
  ['query=x', false],
])('of the body %s it is %s that it only asks', (body, only) => {
  expect(asks('POST', 'http://a.test/graphql', body)).toBe(only);
});

test.each([
  ['GET', '/assets/dialog-3f2a.js', true],
  ['GET', '/a.mjs?v=3', true],
  ['GET', '/a.css', true],
  ['GET', '/assets/removeItem-3f2a.js', true],
  ['get', '/a.js', true],
  ['POST', '/a.js', false],
  ['GET', '/jsonp?callback=x.js', false],
  ['GET', '/items/3', false],
  ['GET', '/delete/a.js', false],
  ['GET', '/a.js/remove', false],
  ['GET', '/a.json', false],
])('%s %s is a request for code: %s', (method, path, only) => {
  expect(isCodeRequest({ method, url: `http://a.test${path}`, body: null })).toBe(only);
});
