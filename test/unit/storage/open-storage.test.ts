import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { readStoragePlace } from '../../../src/storage/storage-place.ts';
import { BUCKET, KEY, startS3, type S3Server } from '../../support/s3-server.ts';

const { signal } = new AbortController();
const PLACE = { bucket: BUCKET, prefix: 'sites/c-0123456789ab' };
let server: S3Server;
/** Requested waits; none is actually waited. */
let waits: number[] = [];
const clock: Clock = { ...systemClock, sleep: async (duration) => void waits.push(duration) };

beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  waits = [];
  server.log.length = 0;
  server.objects.clear();
  server.refuse = () => null;
});

const open = (variables: Readonly<Record<string, string | undefined>> = {}, place = PLACE) =>
  openStorage(place, { variables: { ...server.variables, ...variables }, clock });

describe('a storage of snapshots', () => {
  it('keeps what is written and gives it back, under its prefix, signed as the server reckons it', async () => {
    const storage = await open();
    await storage.put('snapshots/3f/3f0c-ü.html', '<p>füße</p>', signal);
    expect([...server.objects.keys()]).toEqual(['sites/c-0123456789ab/snapshots/3f/3f0c-ü.html']);
    expect(Buffer.from((await storage.get('snapshots/3f/3f0c-ü.html', signal)) ?? []).toString()).toBe('<p>füße</p>');
    expect(await storage.get('snapshots/3f/none.html', signal)).toBeNull();
    await storage.probe(signal);
    expect(server.objects.size).toBe(1);
  });

  it('asks again where it is slow, full or refuses, a bounded number of times, and then says who and why', async () => {
    const storage = await open();
    let left = 3;
    server.refuse = () => ((left -= 1) >= 0 ? { status: 503, code: 'SlowDown' } : null);
    await storage.put('a', 'a', signal);
    expect(waits).toEqual([500, 1000, 2000]);
    for (const [status, code] of [
      [403, 'AccessDenied'],
      [507, 'XMinioStorageFull'],
    ] as const) {
      server.refuse = () => ({ status, code });
      await expect(storage.put('snapshots/b', 'b', signal)).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        message: expect.stringContaining(
          `s3://snapshots/sites/c-0123456789ab/snapshots/b could not be written: ${status} ${code}: ${code} of the test (tried 5 times)`,
        ),
      });
    }
    expect(server.log.filter((line) => line.endsWith('403'))).toHaveLength(5);
  });

  it('is given up at once by whoever is stopped', async () => {
    const stop = new AbortController();
    server.refuse = () => {
      stop.abort(new Error('stopped'));
      return 'silence';
    };
    await expect((await open()).put('a', 'a', stop.signal)).rejects.toThrow('stopped');
  });

  it.each([
    [{ AWS_SECRET_ACCESS_KEY: 'wrong' }, /403 SignatureDoesNotMatch/],
    [{ AWS_ACCESS_KEY_ID: 'AKIAOTHER' }, /403 InvalidAccessKeyId/],
    [{ AWS_REGION: 'elsewhere' }, /403 AuthorizationHeaderMalformed/],
    [
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
      /\(http:\/\/127\.0\.0\.1:9\) takes no snapshots: .*(?:bad port|ECONNREFUSED)/,
    ],
  ])('is refused at the start with the cause, and without the key: %j', async (variables, message) => {
    const probe = (await open(variables)).probe(signal);
    await expect(probe).rejects.toMatchObject({ code: 'STORAGE_UNUSABLE', message: expect.stringMatching(message) });
    await expect(probe).rejects.not.toMatchObject({ message: expect.stringContaining(KEY.secret) });
  });

  it('is refused where the bucket is not there, where no key is set, and where the endpoint is no URL', async () => {
    const nowhere = await open({}, { bucket: 'nowhere', prefix: '' });
    await expect(nowhere.probe(signal)).rejects.toMatchObject({ message: expect.stringContaining('404 NoSuchBucket') });
    await expect(open({ AWS_SECRET_ACCESS_KEY: '' })).rejects.toMatchObject({
      code: 'STORAGE_UNUSABLE',
      message: expect.stringContaining('AWS_SECRET_ACCESS_KEY is not set'),
    });
    await expect(open({ AWS_ENDPOINT_URL: 'minio:9000' })).rejects.toMatchObject({ code: 'STORAGE_UNUSABLE' });
  });

  it('asks for its package where that is not installed', async () => {
    const load = () => Promise.reject(new Error('Cannot find package'));
    await expect(openStorage(PLACE, { variables: server.variables, clock, load })).rejects.toMatchObject({
      code: 'PACKAGE_MISSING',
      message: expect.stringContaining('npm install aws4fetch'),
    });
  });
});

it.each([
  ['s3://bucket', { bucket: 'bucket', prefix: '' }],
  ['s3://my.bucket/a/b-c/', { bucket: 'my.bucket', prefix: 'a/b-c' }],
  ['s3://bucket/../other', null],
  ['s3://bucket/a//b', null],
  ['s3://b', null],
  ['s3://bucket/a?b', null],
  ['https://bucket/a', null],
])('%s names a place: %j', (text, place) => {
  expect(readStoragePlace(text)).toEqual(place);
});
