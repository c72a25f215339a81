import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LogFields, silentLog } from '../../../src/base/log.ts';
import { createSharedLog, openLog } from '../../../src/crawl/folder/log-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-log-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The bytes of a log with one event. */
async function written(fields: LogFields, event = 'visit failed'): Promise<string> {
  const path = join(folder, `${Math.random()}.jsonl`);
  const log = openLog(path, 'info');
  log.info(event, fields);
  await log[Symbol.asyncDispose]();
  return readFile(path, 'utf8');
}

describe('the log', () => {
  it('is one JSON object on each line, with the time, the level and the event', async () => {
    const text = await written({ url: 'http://one.example/', took: 5 });
    expect(text.endsWith('\n')).toBe(true);
    const line = JSON.parse(text) as Record<string, unknown>;
    expect(line).toMatchObject({ event: 'visit failed', url: 'http://one.example/', took: 5 });
    expect(Number.isNaN(Date.parse(String(line['time'])))).toBe(false);
  });

  it.each([
    ['line feeds', 'a\n{"event":"forged"}\r\nb'],
    ['line separators', 'a\u2028b\u2029c\u0085d'],
    ['an escape sequence', '\u001b[2J\u009b31m'],
    ['the right-to-left override', 'exe.\u202egpj\u202c \u2066x\u2069'],
    ['a lone surrogate', 'a\ud800b'],
  ])('keeps hostile text on its line: %s', async (_what, text) => {
    const bytes = await written({ detail: text });
    expect(bytes.split(/[\n\r\u2028\u2029\u0085]/).filter((line) => line !== '')).toHaveLength(1);
    // oxlint-disable-next-line no-control-regex -- it is control characters that must not be there
    expect(bytes).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(JSON.parse(bytes)).toMatchObject({ event: 'visit failed' });
  });

  it('cuts long text, however deep it lies', async () => {
    const long = 'x'.repeat(100_000);
    expect((await written({ detail: long })).length).toBeLessThan(1200);
    expect((await written({ nested: { list: [long] } })).length).toBeLessThan(1200);
  });

  it('keeps hostile text that lies in nested values on its line, too', async () => {
    const bytes = await written({ nested: { 'a\u202eb': ['c\u202ed'] } });
    expect(bytes).not.toMatch(/[\u202a-\u202e]/);
  });

  it('leaves out what is below its level', async () => {
    const path = join(folder, 'level.jsonl');
    const log = openLog(path, 'warn');
    log.info('no');
    log.warn('yes');
    await log[Symbol.asyncDispose]();
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(1);
  });

  it('takes what is said after its end, and keeps none of it', async () => {
    const path = join(folder, 'closed.jsonl');
    const log = openLog(path, 'info');
    await log[Symbol.asyncDispose]();
    log.error('too late');
    expect(await readFile(path, 'utf8')).toBe('');
  });

  it.runIf(existsSync('/dev/full'))('stops nobody, and ends, where the disk is full', { timeout: 5000 }, async () => {
    const log = openLog('/dev/full', 'info');
    for (let count = 0; count < 3000; count += 1) log.error('crawl breaks off', { error: 'x'.repeat(900) });
    await log[Symbol.asyncDispose]();
    log.error('too late');
  });

  it('goes on after what an earlier run wrote', async () => {
    const path = join(folder, 'again.jsonl');
    for (const event of ['first run', 'second run']) {
      const log = openLog(path, 'info');
      log.info(event);
      await log[Symbol.asyncDispose]();
    }
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(2);
  });
});

describe('a shared log', () => {
  it('tells all logs that were added by then', () => {
    const heard: string[] = [];
    const shared = createSharedLog();
    shared.info('nobody hears');
    shared.add({ ...silentLog, info: (event) => void heard.push(`one ${event}`) });
    shared.add({ ...silentLog, info: (event) => void heard.push(`two ${event}`) });
    shared.info('both');
    expect(heard).toEqual(['one both', 'two both']);
  });
});
