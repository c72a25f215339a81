import { describe, expect, it, vi } from 'vitest';
import type { Log, LogFields } from '../../../src/base/log.ts';
import type { SnapshotWriter } from '../../../src/crawl-folder/writer.ts';
import { withExtensionWriters } from '../../../src/pipeline/extension-writers.ts';
import { defineExtension, type ExtensionWriter, type OpenSnapshotWriter } from '../../../src/pipeline/extension.ts';
import { pageOf } from '../../support/page.ts';

const never = new AbortController().signal;
const PAGE = pageOf('http://a.test/');
const PATHS = { html: 'snapshots/x.html', text: null, screenshot: null, warc: null };

async function bench(...snapshotWriters: readonly OpenSnapshotWriter[]) {
  const warnings: [string, LogFields | undefined][] = [];
  const nothing = (): void => {};
  const log: Log = {
    debug: nothing,
    info: nothing,
    error: nothing,
    warn: (...line) => void warnings.push([line[0], line[1]]),
  };
  const own = {
    write: async () => PATHS,
    seal: vi.fn<() => Promise<void>>(async () => {}),
    [Symbol.asyncDispose]: vi.fn<() => Promise<void>>(async () => {}),
  } satisfies SnapshotWriter;
  const extensions = [defineExtension({ name: 'mine', snapshotWriters })];
  return { own, warnings, writer: await withExtensionWriters(own, { extensions, folder: '/crawl', log }) };
}

const giving =
  (value: unknown): OpenSnapshotWriter =>
  () =>
    ({ write: async () => value }) as ExtensionWriter;

describe('an extension’s snapshot writer', () => {
  it('is opened with the crawl folder, gets what is stored, and names what it has kept', async () => {
    const write = vi.fn<ExtensionWriter['write']>(async () => ({ markdown: 'md/1.md' }));
    const folders: string[] = [];
    const open: OpenSnapshotWriter = (folder) => {
      folders.push(folder);
      return { write };
    };
    const { writer } = await bench(open, giving({ json: 'json/1.json' }));
    const paths = await writer.write(PAGE, never);
    expect(folders).toEqual(['/crawl']);
    expect(write).toHaveBeenCalledWith(PAGE, never);
    expect(paths).toEqual({ ...PATHS, extra: { markdown: 'md/1.md', json: 'json/1.json' } });
  });

  it('that keeps nothing leaves the record as it is', async () => {
    const { writer } = await bench(giving(undefined), giving({}));
    expect(await writer.write(PAGE, never)).toEqual(PATHS);
  });

  it('is sealed and closed with the crawl’s own', async () => {
    const seal = vi.fn<() => Promise<void>>(async () => {});
    const close = vi.fn<() => Promise<void>>(async () => {});
    const { writer, own } = await bench(() => ({ write: async () => {}, seal, [Symbol.asyncDispose]: close }));
    await writer.seal();
    await writer[Symbol.asyncDispose]();
    for (const called of [seal, close, own.seal, own[Symbol.asyncDispose]]) expect(called).toHaveBeenCalledOnce();
  });

  it.each([
    ['throws', () => ({ write: () => JSON.parse('{') as never })],
    ['rejects', () => ({ write: () => Promise.reject(new Error('no')) })],
    ['gives what is no name', giving({ 'a/b': 'x' })],
    ['gives a path that leaves the folder', giving({ md: 'md/../../x' })],
    ['gives a path from the root', giving({ md: '/etc/x' })],
    ['gives a path of Windows', giving({ md: 'C:\\x' })],
    ['gives no object', giving('x')],
  ] satisfies readonly (readonly [string, OpenSnapshotWriter])[])(
    'that %s costs one line of the log, and neither the visit nor what others keep',
    async (_what, broken) => {
      const { writer, warnings } = await bench(broken, giving({ json: 'json/1.json' }));
      for (let turn = 0; turn < 3; turn++)
        expect(await writer.write(PAGE, never)).toEqual({ ...PATHS, extra: { json: 'json/1.json' } });
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatchObject([expect.stringMatching(/^snapshot writer /), { extension: 'mine' }]);
    },
  );

  it.each([
    ['throws', () => JSON.parse('{') as never, /was not opened: /],
    ['gives what cannot write', () => ({}) as ExtensionWriter, /has no function write/],
  ])('that %s when it is opened keeps the crawl from starting', async (_what, open, message) => {
    await expect(bench(open)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) });
  });

  it('that fails to seal or close is said, and the crawl’s own are closed all the same', async () => {
    const fails = (): Promise<never> => Promise.reject(new Error('no'));
    const { writer, own, warnings } = await bench(() => ({
      write: async () => {},
      seal: fails,
      [Symbol.asyncDispose]: fails,
    }));
    await writer.seal();
    await writer[Symbol.asyncDispose]();
    expect(own[Symbol.asyncDispose]).toHaveBeenCalledOnce();
    expect(warnings.map(([event]) => event)).toEqual([
      'snapshot writer failed to seal',
      'snapshot writer failed to close',
    ]);
  });
});
