import { expect, it } from 'vitest';
import { newHostDelay } from '../../../src/crawl/opening/politeness-policy.ts';
import { url } from '../../support/frontier-nouns.ts';

it.each([
  [{}, ['https://a.example/'], 1000],
  [{}, ['http://127.0.0.1:4000/', 'https://a.example/'], 1000],
  [{}, ['http://127.0.0.1:4000/', 'http://localhost:4001/'], 0],
  [{ delay: 0 }, ['https://a.example/'], 0],
  [{ delay: 5000 }, ['http://localhost/'], 5000],
] as const)(
  'hosts without a finished visit have the pause of all hosts: %j of %j is %i ms',
  (options, seeds, delay) => {
    expect(newHostDelay(options, seeds.map(url))).toBe(delay);
  },
);
