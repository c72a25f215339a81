import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { openReplayServer } from '../../../src/replay/open-replay-server.ts';
import { openTestArchive, pass } from '../../support/archive.ts';
import { storeCrawl } from '../../support/stored-crawl.ts';

test('a preflight request is allowed where the request that it asks for was recorded', async () => {
  await using stored = await storeCrawl({ crawl: { seeds: ['https://example.org/'] } });
  {
    await using archive = await openTestArchive(stored.folder);
    pass(archive, { url: 'https://example.org/' });
    pass(archive, { url: 'https://api.example.org/data', method: 'POST', requestBody: '{}' });
    await archive.seal();
  }
  await using replay = await openReplayServer(stored.folder, { port: 0 }, silentLog);
  const origin = replay.origins.get('https://example.org') ?? '';
  const { host } = new URL(replay.origins.get('https://api.example.org') ?? '');
  const ask = async (headers: Readonly<Record<string, string>>): Promise<IncomingMessage> => {
    const asked = request({
      ...{ host: '127.0.0.1', port: replay.port, path: '/data', method: 'OPTIONS', agent: false },
      headers: { host, ...headers },
    });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer;
  };
  const allowed = await ask({
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-key',
  });
  expect(allowed.statusCode).toBe(204);
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type,x-key',
    'access-control-allow-credentials': 'true',
  });
  expect(replay.missing).toBe(0);
  expect((await ask({ origin, 'access-control-request-method': 'PUT' })).statusCode).toBe(404);
  expect((await ask({ origin })).statusCode).toBe(404);
  expect(replay.missing).toBe(2);
});
