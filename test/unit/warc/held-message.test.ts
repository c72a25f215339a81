import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BODY_LIMITS, BodyStore } from '../../../src/warc/held-body.ts';
import { HeldMessage } from '../../../src/warc/held-message.ts';

/** More than a call may have arguments: a server sends a body byte by byte. */
const PIECES = 150_000;

test('a body in very many pieces has the digests of any other', () => {
  using store = new BodyStore(join(tmpdir(), 'orbweaver-held-message'), BODY_LIMITS);
  const message = new HeldMessage(() => Buffer.from('head'), store.open());
  for (let count = 0; count < PIECES; count += 1) message.add(Buffer.from('x'));
  const { body, digests } = message.end();
  using _body = body;
  const sha = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const all = 'x'.repeat(PIECES);
  expect([digests.payload(), digests.block()]).toEqual([sha(all), sha(`head${all}`)]);
});
