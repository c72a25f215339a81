import { describe, expect, it } from 'vitest';
import { hidingDirective } from '../../../../src/core/audit-rules/hiding-directive.ts';

describe('hidingDirective', () => {
  it.each([
    [['noindex'], 'noindex'],
    [['follow', 'none'], 'none'],
    [['googlebot: noindex'], 'googlebot: noindex'],
    [['googlebot: none', 'index'], 'googlebot: none'],
    [['googlebot-news: noindex', 'otherbot: noindex', 'googlebot: nofollow', 'noimageindex'], null],
    [[], null],
  ])('%j: %j', (robots, directive) => {
    expect(hidingDirective(robots)).toBe(directive);
  });
});
