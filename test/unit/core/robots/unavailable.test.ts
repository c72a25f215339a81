import { describe, expect, it } from 'vitest';
import { accessAfter } from '../../../../src/core/robots/unavailable.ts';

describe('a status of robots.txt', () => {
  it.each([
    [200, 'read'],
    [206, 'read'],
    [301, 'allow'],
    [400, 'allow'],
    [401, 'allow'],
    [403, 'allow'],
    [404, 'allow'],
    [410, 'allow'],
    [429, 'disallow'],
    [500, 'disallow'],
    [503, 'disallow'],
    [599, 'disallow'],
    [999, 'disallow'],
  ] as const)('%i means %s', (status, access) => {
    expect(accessAfter(status)).toBe(access);
  });
});
