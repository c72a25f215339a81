import { describe, expect, it } from 'vitest';
import { hours } from '../../../../src/base/units.ts';
import { ROBOTS_MEANING, robotsAnswerOf } from '../../../../src/core/robots/unavailable.ts';

describe('an answer to robots.txt', () => {
  it.each([
    [200, 'read'],
    [204, 'read'],
    [301, 'allow'],
    [401, 'allow'],
    [403, 'allow'],
    [404, 'allow'],
    [410, 'allow'],
    [429, 'disallow'],
    [500, 'disallow'],
    [503, 'disallow'],
    [599, 'disallow'],
    [null, 'disallow'],
  ])('of status %s means: %s', (status, access) => {
    expect(ROBOTS_MEANING[robotsAnswerOf(status)].access).toBe(access);
  });

  it('is never kept for more than a day', () => {
    for (const { keepFor } of Object.values(ROBOTS_MEANING)) expect(keepFor).toBeLessThanOrEqual(hours(24));
  });
});
