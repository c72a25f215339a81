import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { DevToolsConnection } from '../../../../browsers/protocol/connection.ts';
import { collectGarbage } from '../../../support/collect-garbage.ts';

const SESSION = 'A'.repeat(32);

/** The other end of the pipe, played by the test. */
function opened() {
  const out = new PassThrough();
  const incoming = new PassThrough();
  const connection = new DevToolsConnection({ out, in: incoming });
  const say = (...messages: readonly object[]): void => {
    incoming.write(messages.map((message) => `${JSON.stringify(message)}\0`).join(''));
  };
  /** What was asked in one write. */
  const asked = async (): Promise<readonly { id: number; method: string; sessionId?: string }[]> => {
    const [written]: readonly unknown[] = await once(out, 'data');
    return String(written)
      .split('\0')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text));
  };
  return { connection, incoming, say, asked };
}

describe('a connection', () => {
  it('gives each call its own answer, in whatever order they come', async () => {
    const { connection, say, asked } = opened();
    const version = connection.root.send('Browser.getVersion');
    const tree = connection.session(SESSION).send('Page.getFrameTree');
    expect(await asked()).toEqual([
      { id: 1, method: 'Browser.getVersion' },
      { id: 2, method: 'Page.getFrameTree', sessionId: SESSION },
    ]);
    say({ id: 2, result: { of: 'page' }, sessionId: SESSION }, { id: 1, result: { of: 'browser' } });
    expect(await Promise.all([version, tree])).toEqual([{ of: 'browser' }, { of: 'page' }]);
  });

  it('writes what is asked in one turn at once, what answers lead to as well', async () => {
    const { connection, say, asked } = opened();
    const { root } = connection;
    const first = root.send('Browser.getVersion').then(() => root.send('Target.getTargets'));
    await asked();
    const second = root.send('Browser.getVersion');
    say({ id: 1, result: {} });
    expect((await asked()).map(({ method }) => method)).toEqual(['Browser.getVersion', 'Target.getTargets']);
    say({ id: 2, result: { product: 'x' } }, { id: 3, result: {} });
    await Promise.all([first, second]);
  });

  it('puts messages together that come in pieces of any size, and takes apart those that come at once', async () => {
    const { connection, incoming } = opened();
    const first = connection.root.send('Browser.getVersion');
    const second = connection.root.send('Browser.getVersion');
    const bytes = Buffer.from('{"id":1,"result":{"product":"käse"}}\0{"id":2,"result":{"product":"b"}}\0');
    for (const byte of bytes) incoming.write(Buffer.from([byte]));
    expect([(await first).product, (await second).product]).toEqual(['käse', 'b']);
    const more = Promise.all([connection.root.send('Browser.getVersion'), connection.root.send('Browser.getVersion')]);
    incoming.write('{"id":3,"result":{"product":"c"}}\0{"id":4,"result":{"product":"d"}}\0{"id"');
    expect((await more).map(({ product }) => product)).toEqual(['c', 'd']);
  });

  it('tells an event to those of its session that listen, and to no other', async () => {
    const { connection, say } = opened();
    const heard: string[] = [];
    connection.root.on('Page.windowOpen', ({ url }) => heard.push(`root ${url}`));
    const session = connection.session(SESSION);
    session.on('Page.windowOpen', ({ url }) => heard.push(`page ${url}`));
    session.once('Page.loadEventFired', () => heard.push('load'));
    say({ method: 'Page.windowOpen', params: { url: 'u' }, sessionId: SESSION });
    say({ method: 'Page.loadEventFired', params: {}, sessionId: SESSION });
    say({ method: 'Page.loadEventFired', params: {}, sessionId: SESSION });
    say({ method: 'Page.windowOpen', params: { url: 'v' } });
    await expect.poll(() => heard).toEqual(['page u', 'load', 'root v']);
  });

  it('does not read what nobody listens to: nonsense in it is no matter', async () => {
    const { connection, incoming, say } = opened();
    const call = connection.root.send('Browser.getVersion');
    incoming.write('{"method":"Network.dataReceived","params":{nonsense}\0');
    incoming.write(`{"method":"Network.dataReceived","params":{nonsense},"sessionId":"${SESSION}"}\0`);
    say({ id: 1, result: { product: 'x' } });
    expect((await call).product).toBe('x');
    expect(connection.received).toBe(3);
  });

  it('takes a session for the one that is named at its end, whatever a page writes into a message', async () => {
    const { connection, say } = opened();
    const heard: string[] = [];
    connection.session(SESSION).on('Page.windowOpen', () => heard.push('page'));
    connection.root.on('Page.windowOpen', () => heard.push('root'));
    say({ method: 'Page.windowOpen', params: { url: `","sessionId":"${SESSION}"}` } });
    await expect.poll(() => heard).toEqual(['root']);
  });

  it('reads of what a page prints no more than its type, however long it is', async () => {
    const { connection, incoming, say } = opened();
    const heard: string[] = [];
    const { root } = connection;
    root.on('Runtime.consoleAPICalled', ({ type }) => heard.push(`${type} ${root.eventSize > 5_000_000}`));
    root.on('Runtime.exceptionThrown', () => heard.push('exception'));
    root.on('Page.javascriptDialogOpening', ({ type }) => heard.push(`dialog ${type}`));
    root.on('Page.windowOpen', () => heard.push('window'));
    const large = 'x'.repeat(5 * 1024 * 1024);
    say(
      { method: 'Runtime.consoleAPICalled', params: { type: 'error', args: [large] } },
      { method: 'Runtime.exceptionThrown', params: { large } },
      { method: 'Page.javascriptDialogOpening', params: { url: 'u', message: large } },
      { method: 'Page.windowOpen', params: { url: large } },
      { method: 'Page.javascriptDialogOpening', params: { url: 'u', type: 'alert' } },
    );
    incoming.write('{"method":"Runtime.consoleAPICalled","params":{"type":"warning",nonsense}\0');
    await expect
      .poll(() => heard)
      .toEqual(['error true', 'exception', 'dialog undefined', 'dialog alert', 'warning false']);
  });

  it('reads what a page prints whole, up to a size, for a session that asks for it, and for no other', async () => {
    const { connection, say } = opened();
    const heard: string[] = [];
    const [asking, other] = [connection.session(SESSION), connection.session('other')];
    asking.readWhole(['Runtime.consoleAPICalled'], 1000);
    for (const [name, session] of [
      ['asking', asking],
      ['other', other],
    ] as const)
      session.on('Runtime.consoleAPICalled', ({ type, args = [] }) => heard.push(`${name} ${type} ${args.length}`));
    const event = (value: string, sessionId: string): object => ({
      method: 'Runtime.consoleAPICalled',
      params: { type: 'error', args: [{ value }] },
      sessionId,
    });
    say(event('short', SESSION), event('x'.repeat(1000), SESSION), event('x'.repeat(200_000), SESSION));
    say(event('short', 'other'));
    await expect.poll(() => heard.length).toBe(4);
    asking.readWhole(['Runtime.consoleAPICalled'], 0);
    say(event('short', SESSION));
    await expect
      .poll(() => heard)
      .toEqual(['asking error 1', 'asking error 0', 'asking error 0', 'other error 0', 'asking error 0']);
  });

  it('refuses a request that is too large to be told, for it waits for an answer', async () => {
    const { connection, say, asked } = opened();
    const session = connection.session(SESSION);
    session.on('Fetch.requestPaused', () => expect.unreachable());
    const params = { requestId: 'interception-job-1.0', request: { postData: 'x'.repeat(5 * 1024 * 1024) } };
    say({ method: 'Fetch.requestPaused', params, sessionId: SESSION });
    await expect.poll(asked).toMatchObject([{ method: 'Fetch.failRequest', sessionId: SESSION }]);
  });

  it('holds nothing of a message without end, and goes on after it', async () => {
    const { connection, incoming, say } = opened();
    connection.root.on('Page.windowOpen', () => {});
    const call = connection.root.send('Browser.getVersion');
    const lost = connection.root.send('Page.getFrameTree');
    const piece = Buffer.alloc(1 << 20, 120);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (const start of [
      '{"method":"Page.windowOpen","params":{"url":"',
      '{"method":"Runtime.bindingCalled","params":{"payload":"',
      '{"id":2,"result":{"large":"',
    ]) {
      incoming.write(start);
      for (let written = 0; written < 300; written++) {
        if (!incoming.write(Buffer.from(piece))) await new Promise((resolve) => incoming.once('drain', resolve));
        if (written % 30 !== 0) continue;
        collectGarbage();
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
      incoming.write('"}}\0');
    }
    await expect(lost).rejects.toThrow('the answer is larger than');
    say({ id: 1, result: { product: 'x' } });
    expect((await call).product).toBe('x');
    // an answer may be held up to its limit
    expect(most).toBeLessThan(260 * 1024 * 1024);
  });

  it('rejects a call that the browser refuses, with its words', async () => {
    const { connection, say } = opened();
    const call = connection.root.send('Page.enable');
    say({ id: 1, error: { code: -32601, message: "'Page.enable' wasn't found" } });
    await expect(call).rejects.toThrow("Page.enable: 'Page.enable' wasn't found");
  });

  it('rejects the calls of a target that goes, and those that come after, and no others', async () => {
    const { connection, say } = opened();
    const session = connection.session(SESSION);
    const lost = session.send('Page.enable');
    const kept = connection.root.send('Browser.getVersion');
    say({ method: 'Target.detachedFromTarget', params: { sessionId: SESSION, targetId: 't' } });
    await expect(lost).rejects.toThrow('the target has gone');
    expect(session.gone.aborted).toBe(true);
    await expect(session.send('Page.enable')).rejects.toThrow('the target has gone');
    say({ id: 2, result: { product: 'still there' } });
    expect((await kept).product).toBe('still there');
  });

  it('hears of the end of a session that nobody listens to, in whatever pieces the message comes', async () => {
    const { connection, incoming } = opened();
    const session = connection.session(SESSION);
    const detached = { method: 'Target.detachedFromTarget', params: { sessionId: SESSION, targetId: 'T'.repeat(200) } };
    const bytes = Buffer.from(`${JSON.stringify(detached)}\0`);
    // Chromium writes the zero byte separately, so it may arrive alone
    incoming.write(bytes.subarray(0, -1));
    incoming.write(bytes.subarray(-1));
    await expect.poll(() => session.gone.aborted).toBe(true);
  });

  it('rejects everything when the pipe ends', async () => {
    const { connection, incoming } = opened();
    const session = connection.session(SESSION);
    const calls = Promise.allSettled([connection.root.send('Browser.getVersion'), session.send('Page.enable')]);
    incoming.destroy();
    expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([connection.gone.aborted, session.gone.aborted]).toEqual([true, true]);
    await expect(connection.root.send('Browser.getVersion')).rejects.toThrow('closed its pipe');
  });

  const faulty = (): never => {
    throw new Error('a fault');
  };
  const OTHER = 'B'.repeat(32);

  it('ends the page that a message is for whose listener fails, and no other', async () => {
    const { connection, say, asked } = opened();
    const [page, other] = [connection.session(SESSION), connection.session(OTHER)];
    page.on('Page.loadEventFired', faulty);
    const waiting = page.send('Page.enable').catch((error: Error) => error);
    const call = other.send('Page.getFrameTree');
    await asked();
    say({ method: 'Page.loadEventFired', params: {}, sessionId: SESSION });
    say({ id: 2, result: { of: 'other' }, sessionId: OTHER });
    expect(await call).toEqual({ of: 'other' });
    expect(page.gone.reason).toMatchObject({ cause: { message: 'a fault' } });
    expect(await waiting).toBe(page.gone.reason);
    expect([other.gone.aborted, connection.gone.aborted]).toEqual([false, false]);
  });

  it('ends the page whose message is no JSON, an answer alike, and rejects what waited for it', async () => {
    for (const message of ['{"method":"Page.loadEventFired","params":{nonsense}', '{"id":1,"result":{nonsense}']) {
      const { connection, incoming } = opened();
      const page = connection.session(SESSION).on('Page.loadEventFired', () => {});
      const waiting = page.send('Page.enable').catch((error: Error) => error.message);
      incoming.write(`${message},"sessionId":"${SESSION}"}\0`);
      expect(await waiting).toContain('could not be dealt with');
      expect([page.gone.aborted, connection.gone.aborted]).toEqual([true, false]);
    }
  });

  it('is lost where a message for the browser itself cannot be dealt with', async () => {
    const { connection, say } = opened();
    const page = connection.session(SESSION);
    connection.root.on('Target.targetCreated', faulty);
    const waiting = connection.root.send('Browser.getVersion').catch((error: Error) => error.message);
    say({ method: 'Target.targetCreated', params: {} });
    expect(await waiting).toContain('could not be dealt with');
    expect([page.gone.aborted, connection.gone.aborted]).toEqual([true, true]);
  });
});
