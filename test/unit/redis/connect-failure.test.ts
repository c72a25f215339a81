import { expect, test } from 'vitest';
import { connectFailure } from '../../../src/redis/connect-failure.ts';

/** What ioredis says where its own time to connect is over, which for TLS includes the handshake. */
const over = Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' });

test('a server that says nothing to the TLS handshake is told apart from one that is away, whichever time is over first', () => {
  const late = Object.assign(new Error('the time is over'), { name: 'TimeoutError' });
  for (const error of [over, late]) {
    expect(connectFailure(error, true)).toMatchObject({
      what: expect.stringContaining('does not answer over TLS'),
      cure: expect.stringContaining('redis://'),
      isRefusal: true,
    });
  }
  expect(connectFailure(over, false)).toMatchObject({ what: 'does not answer: connect ETIMEDOUT.', isRefusal: false });
});
