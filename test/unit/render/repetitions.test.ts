import { describe, expect, test } from 'vitest';
import { Repetitions } from '../../../src/render/page/repetitions.ts';
import { CHAIN_COUNT, POLL_COUNT, RETRY_COUNT, STREAM_COUNT } from '../../../src/render/limits/idle-limits.ts';

const fetchOf = (again: string | null, operation = 'GET /api') => ({ type: 'fetch', operation, again });
const POLL = fetchOf('GET /api?since=1');
const times = (count: number, act: (index: number) => void): void => {
  for (let index = 0; index < count; index++) act(index);
};

describe('a request is a poll', () => {
  test('when the very same was asked for often', () => {
    const repetitions = new Repetitions();
    times(POLL_COUNT - 1, () => repetitions.count(POLL));
    expect(repetitions.isPoll(POLL)).toBe(false);
    repetitions.count(POLL);
    expect(repetitions.isPoll(POLL)).toBe(true);
    expect(repetitions.isPoll(fetchOf('GET /api?since=2'))).toBe(false);
  });

  test('when it is one of a chain without end, and not when it asks for one of some pages', () => {
    const repetitions = new Repetitions();
    times(CHAIN_COUNT - 1, (index) => repetitions.count(fetchOf(`GET /api?page=${index}`)));
    expect(repetitions.isPoll(fetchOf('GET /api?page=3'))).toBe(false);
    repetitions.count(fetchOf('GET /api?page=last'));
    expect(repetitions.isPoll(fetchOf('GET /api?page=3'))).toBe(true);
  });

  test('not when it is asked for beside the same, as the entries of a list and the icons of a page are', () => {
    const repetitions = new Repetitions();
    const entry = (index: number): ReturnType<typeof fetchOf> => fetchOf(`GET /api?id=${index}`);
    times(CHAIN_COUNT * 2, (index) => repetitions.begin(entry(index)));
    times(POLL_COUNT * 2, () => repetitions.begin(POLL));
    expect([repetitions.isPoll(entry(3)), repetitions.isPoll(POLL)]).toEqual([false, false]);
    times(CHAIN_COUNT, (index) => {
      repetitions.end(entry(index));
      repetitions.begin(entry(index));
    });
    expect(repetitions.isPoll(entry(3))).toBe(true);
  });

  test('when each is asked for after the answer to the one before', () => {
    const repetitions = new Repetitions();
    times(POLL_COUNT - 1, () => {
      repetitions.begin(POLL);
      repetitions.end(POLL);
    });
    expect(repetitions.isPoll(POLL)).toBe(false);
    repetitions.begin(POLL);
    expect(repetitions.isPoll(POLL)).toBe(true);
  });

  test('not when the answers before were errors, up to a bound', () => {
    const repetitions = new Repetitions();
    const inVain = (): void => {
      repetitions.count(POLL);
      repetitions.countFailure(POLL);
    };
    times(RETRY_COUNT, inVain);
    repetitions.count(POLL);
    expect(repetitions.isPoll(POLL)).toBe(false);
    times(POLL_COUNT, inVain);
    expect(repetitions.isPoll(POLL)).toBe(true);
  });

  test('of which a body is not known goes by what it does alone', () => {
    const repetitions = new Repetitions();
    times(POLL_COUNT * 2, () => repetitions.count(fetchOf(null)));
    expect(repetitions.isPoll(fetchOf(null))).toBe(false);
  });

  test('a stream that is opened again and again is one, errors or not', () => {
    const repetitions = new Repetitions();
    const stream = { type: 'eventsource', operation: 'GET /events', again: 'GET /events' };
    times(STREAM_COUNT, () => {
      repetitions.count(stream);
      repetitions.countFailure(stream);
    });
    expect(repetitions.isPoll(stream)).toBe(true);
  });

  test('that goes on stays one when something is done to the page, others begin anew', () => {
    const repetitions = new Repetitions();
    const other = fetchOf('GET /list', 'GET /list');
    times(POLL_COUNT, () => {
      repetitions.count(POLL);
      repetitions.count(other);
    });
    repetitions.restart([POLL]);
    expect([repetitions.isPoll(POLL), repetitions.isPoll(other)]).toEqual([true, false]);
  });
});
