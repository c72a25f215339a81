import { describe, expect, test } from 'vitest';
import { requestOperation, type RequestOperation } from '../../../../src/core/requests/request-operation.ts';

const get = (path: string): RequestOperation =>
  requestOperation({ method: 'GET', url: `https://example.org${path}`, body: null, hasBody: false });
const post = (body: unknown, path = '/graphql'): RequestOperation =>
  requestOperation({
    method: 'POST',
    url: `https://example.org${path}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    hasBody: true,
  });

describe('the very same asked again', () => {
  test.each([
    ['/api/wait?_=1700000000123', '/api/wait?_=1700000009456'],
    ['/api/wait?room=5&t=abc', '/api/wait?room=5&t=abd'],
    ['/ping?0.4711081500001', '/ping?0.9988776655443'],
    ['/api/wait#a', '/api/wait#b'],
  ])('%s is %s', (one, other) => {
    expect(get(one).again).toBe(get(other).again);
  });

  test.each([
    ['/api/items?page=1', '/api/items?page=2'],
    ['/api/items/1', '/api/items/2'],
    ['/api/wait?since=5', '/api/wait?since=6'],
    ['/search?q=t&t=%2Fhome', '/search?q=u&t=%2Fhome'],
  ])('%s is not %s', (one, other) => {
    expect(get(one).again).not.toBe(get(other).again);
  });

  test('of a body that cannot be known nothing is said', () => {
    const sent = { method: 'POST', url: 'https://example.org/api', body: null, hasBody: true };
    expect(requestOperation(sent).again).toBeNull();
    expect(post({ a: 1 }).again).not.toBe(post({ a: 2 }).again);
  });
});

describe('what a request does', () => {
  test.each([
    ['/api/items/17?page=2', '/api/items/42?page=3'],
    ['/api/items?id=0a1b2c3d', '/api/items?id=ffeedd1c'],
    ['/api/list?view=week&day=5', '/api/list?view=week&day=6'],
  ])('%s does what %s does', (one, other) => {
    expect(get(one).operation).toBe(get(other).operation);
  });

  test.each([
    ['/admin-ajax.php?action=list', '/admin-ajax.php?action=poll'],
    ['/api/items', '/api/events'],
    ['/api?kind=a', '/api?sort=a'],
    ['/graphql?query={a}', '/graphql?query={b}'],
  ])('%s does not what %s does', (one, other) => {
    expect(get(one).operation).not.toBe(get(other).operation);
  });

  test('GraphQL goes by name, by persisted hash, or by its text', () => {
    const items = { operationName: 'Items', query: 'query Items { items }', variables: { page: 1 } };
    expect(post(items).operation).toBe(post({ ...items, variables: { page: 2 } }).operation);
    expect(post(items).operation).not.toBe(post({ ...items, operationName: 'Feed' }).operation);
    const persisted = (sha256Hash: string): unknown => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
    expect(post(persisted('aa')).operation).not.toBe(post(persisted('bb')).operation);
    expect(post({ query: '{ items }' }).operation).not.toBe(post({ query: '{ feed }' }).operation);
    expect(post([items, { ...items, operationName: 'Feed' }]).operation).not.toBe(post([items]).operation);
  });

  test('JSON-RPC goes by its method, forms and objects by names and words', () => {
    const call = (method: string, id: number): unknown => ({ jsonrpc: '2.0', method, params: [id], id });
    expect(post(call('items.list', 1)).operation).toBe(post(call('items.list', 2)).operation);
    expect(post(call('items.list', 1)).operation).not.toBe(post(call('events.wait', 1)).operation);
    expect(post('action=list&page=1').operation).toBe(post('action=list&page=2').operation);
    expect(post('action=list&page=1').operation).not.toBe(post('action=wait&page=1').operation);
    expect(post({ type: 'list', page: 1 }).operation).not.toBe(post({ type: 'wait', page: 1 }).operation);
  });

  test('keys are bounded, and no body breaks them', () => {
    const long = get(`/${'a/'.repeat(5000)}?${'b=c&'.repeat(5000)}`);
    expect(long.operation.length).toBeLessThanOrEqual(400);
    expect((long.again ?? '').length).toBeLessThanOrEqual(400);
    for (const body of [
      '{',
      '[]',
      'null',
      '[[[',
      '\u0000',
      '{"extensions":{"persistedQuery":null}}',
      'x'.repeat(20_000),
    ])
      expect(post(body).operation).toContain('POST https://example.org/graphql');
  });
});
