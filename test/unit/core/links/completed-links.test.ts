import { describe, expect, test } from 'vitest';
import { completionOf } from '../../../../src/core/links/markup/completed-links.ts';

describe('an address that a script completes', () => {
  test.each([
    ['/phones//reviews', '/phones/xoom/reviews', 'sure'],
    ['#!/phones//reviews', '#!/phones/xoom/reviews', 'sure'],
    ['/users/undefined', '/users/5', 'sure'],
    ['/users/null/posts/undefined', '/users/5/posts/7', 'sure'],
    ['/view?id=undefined&tab=2', '/view?id=5&tab=2', 'sure'],
    ['/users/', '/users/5', 'likely'],
    ['/view?id=', '/view?id=5', 'likely'],
    ['https://example.org/users/', 'https://example.org/users/5', 'likely'],
    ['/users/', '/groups/5', null],
    ['/a//b', '/other', null],
    ['/users/5', '/users/6', null],
    ['https://example.org/a', 'https://www.example.org/a', null],
    ['/login?next=/home', '/login?next=/shop/home', null],
    ['/users/undefined', '/users/', null],
    ['/users/undefined', '', null],
    ['', '/users', null],
  ])('%s, then %s: %s', (before, after, completion) => {
    expect(completionOf(before, after)).toBe(completion);
  });
});
