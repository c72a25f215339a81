import { request } from 'undici';
import { describe, expect, test } from 'vitest';

import { type Log, type LogFields, silentLog } from '../../../src/base/log.ts';
import type { ExchangeRecorder, ExchangeRecording } from '../../../src/model/exchange.ts';
import { httpOrigin } from '../../support/origin.ts';
import { egressTo, rawToProxy, viaProxy } from './through-proxy.ts';

/** A faulty recorder: for exchanges whose URL ends with `/fault`, it throws in this method. */
function faultyKeeper(where: 'begin' | keyof ExchangeRecording): ExchangeRecorder {
  return {
    begin: ({ url }) => {
      const act = (what: string) => (): void => {
        if (what === where && url.endsWith('/fault')) throw new Error(`a fault in ${where}`);
      };
      act('begin')();
      return { requestBody: act('requestBody'), answered: act('answered'), body: act('body'), end: act('end') };
    },
  };
}

function listeningLog(): { readonly log: Log; readonly errors: (readonly [string, LogFields | undefined])[] } {
  const errors: (readonly [string, LogFields | undefined])[] = [];
  return { log: { ...silentLog, error: (event, fields) => void errors.push([event, fields]) }, errors };
}

describe('a fault of the program in the flow of an exchange', () => {
  test.each(['begin', 'requestBody', 'answered', 'body', 'end'] as const)(
    'where it is told of %s costs that request, is logged, and the next one is served',
    async (where) => {
      await using origin = await httpOrigin((incoming, response) => {
        incoming.resume().on('end', () => response.end('answer'));
      });
      const { log, errors } = listeningLog();
      await using egress = await egressTo([origin.port], { recorder: faultyKeeper(where), log });
      const body = { method: 'POST', body: 'sent', headers: { 'content-length': '4' } };
      const reply = await viaProxy(egress, `${origin.url}/fault`, body).catch(() => null);
      // a fault at the end harms no request: the answer was already passed on
      if (where !== 'end') expect(reply?.status === 200 && reply.complete).toBe(false);
      await expect.poll(() => errors).toHaveLength(1);
      expect(errors[0]).toEqual([
        'fault in the egress',
        { error: expect.stringContaining(`a fault in ${where}`) as string },
      ]);
      expect((await viaProxy(egress, `${origin.url}/next`, body)).body.toString()).toBe('answer');
    },
  );

  test.each(['begin', 'answered', 'body', 'end'] as const)(
    'where it is told of %s of a request of our own costs that request alone',
    async (where) => {
      await using origin = await httpOrigin((_incoming, response) => response.end('answer'));
      const { log, errors } = listeningLog();
      await using egress = await egressTo([origin.port], { recorder: faultyKeeper(where), log });
      const ask = async (path: string): Promise<string> => {
        const { body } = await request(`${origin.url}${path}`, { dispatcher: egress.dispatcher });
        return await body.text();
      };
      if (where === 'end') expect(await ask('/fault')).toBe('answer');
      else await expect(ask('/fault')).rejects.toThrow(/fault|archive/);
      expect(errors.length).toBe(where === 'begin' ? 0 : 1);
      expect(await ask('/next')).toBe('answer');
    },
  );

  test('before a request is passed on costs that request, CONNECT and upgrade alike', async () => {
    await using origin = await httpOrigin((_incoming, response) => response.end('answer'));
    const { log, errors } = listeningLog();
    let isFaulty = true;
    await using egress = await egressTo([origin.port], {
      log,
      subRequests: () => {
        if (isFaulty) throw new Error('a fault in the pace');
        return null;
      },
    });
    expect((await viaProxy(egress, `${origin.url}/`)).status).toBe(502);

    expect((await rawToProxy(egress, `CONNECT 127.0.0.1:${origin.port} HTTP/1.1\r\n\r\n`)).head).toMatch(/ 502 /);
    const upgrade = `GET ${origin.url}/ HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n`;
    expect((await rawToProxy(egress, upgrade)).head).toMatch(/ 502 /);
    expect(errors).toHaveLength(3);
    isFaulty = false;
    expect((await viaProxy(egress, `${origin.url}/`)).status).toBe(200);
  });
});
