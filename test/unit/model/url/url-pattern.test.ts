import { describe, expect, test } from 'vitest';
import { addressPattern } from '../../../../src/model/url/url-pattern.ts';

describe('the pattern of an address', () => {
  test.each([
    ['https://example.org/item/17', 'https://example.org/item/0'],
    ['https://example.org/item/18?page=3&b=x#part', 'https://example.org/item/0?b&page'],
    ['https://example.org/u/550e8400-e29b-41d4-a716-446655440000', 'https://example.org/u/*'],
    ['https://example.org/file/da39a3ee5e6b4b0d3255bfef', 'https://example.org/file/*'],
    ['https://example.org/blog/how-to-wait-for-pages', 'https://example.org/blog/*'],
    ['https://example.org/about-us/', 'https://example.org/about-us/'],
    ['https://example.org:8080/', 'https://example.org:8080/'],
    ['https://example.org/#/user/12?tab=1', 'https://example.org/#/user/0'],
    ['not a URL', ''],
  ])('%s is like %s', (address, pattern) => {
    expect(addressPattern(address)).toBe(pattern);
  });

  test('is bounded for addresses of any length', () => {
    const long = `https://example.org/${'a/'.repeat(10_000)}?${'q=1&'.repeat(10_000)}`;
    expect(addressPattern(long).length).toBeLessThan(2000);
  });
});

describe('pages of one kind', () => {
  test.each([
    ['http://a.test/item/1', 'http://a.test/item/2'],
    ['http://a.test/blog/how-to-grow-roses', 'http://a.test/blog/what-to-eat-in-may'],
    ['http://a.test/list?page=1&sort=a', 'http://a.test/list?sort=b&page=9'],
    ['http://a.test/app#/user/1', 'http://a.test/app#/user/2'],
  ])('%s is one with %s', (one, other) => expect(addressPattern(one)).toBe(addressPattern(other)));

  test.each([
    ['http://a.test/item/1', 'http://b.test/item/1'],
    ['http://a.test/item/1', 'http://a.test/user/1'],
    ['http://a.test/list', 'http://a.test/list?page=2'],
    ['http://a.test/app#/user', 'http://a.test/app#/home'],
  ])('%s is none with %s', (one, other) => expect(addressPattern(one)).not.toBe(addressPattern(other)));
});
