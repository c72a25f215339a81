import { describe, expect, it } from 'vitest';
import { bytes, mebibytes } from '../../../../src/base/units.ts';
import {
  browserLimit,
  memoryLimits,
  memoryReason,
  memoryVerdict,
  treeMemory,
  type ProcessMemory,
} from '../../../../src/core/memory/memory-verdict.ts';

const LIMITS = { page: mebibytes(1024), tree: mebibytes(1536) };

function taking(pid: number, own: number, changes: Partial<ProcessMemory> = {}): ProcessMemory {
  return { pid, renderer: true, own: mebibytes(own), shared: bytes(0), busy: 0, ...changes };
}
const browser = (own: number, shared = 0): ProcessMemory =>
  taking(1, own, { renderer: false, shared: mebibytes(shared) });

describe('the verdict on memory', () => {
  it('leaves alone what stays below the limits', () => {
    expect(memoryVerdict([browser(200), taking(2, 500), taking(3, 500)], LIMITS)).toEqual({ kind: 'fine' });
    expect(memoryVerdict([], LIMITS)).toEqual({ kind: 'fine' });
  });

  it('ends the page that is too large, what it shares included', () => {
    const large = taking(3, 600, { shared: mebibytes(500) });
    expect(memoryVerdict([browser(50), taking(2, 100), large], LIMITS)).toEqual({
      kind: 'end',
      pid: 3,
      limit: LIMITS.page,
      all: false,
    });
  });

  it('ends the largest where all together are too large', () => {
    expect(memoryVerdict([browser(100), taking(2, 500), taking(3, 800)], LIMITS)).toEqual({
      kind: 'end',
      pid: 3,
      limit: LIMITS.tree,
      all: true,
    });
  });

  it('ends the busiest where the browser itself holds most of it', () => {
    const pages = [taking(2, 150, { busy: 3 }), taking(3, 90, { busy: 40 })];
    expect(memoryVerdict([browser(1200), ...pages], LIMITS)).toMatchObject({ kind: 'end', pid: 3, all: true });
  });

  it('ends the browser where it has no page', () => {
    expect(memoryVerdict([browser(1400)], LIMITS)).toEqual({ kind: 'end-browser', limit: LIMITS.tree });
  });

  it('believes who knows better than the sum of what is seen', () => {
    expect(
      memoryVerdict([browser(100), taking(2, 300)], LIMITS, { tree: mebibytes(1400), program: bytes(0) }),
    ).toMatchObject({ pid: 2, all: true });
  });

  it('counts this process with the browser, where it is the crawl’s own', () => {
    const processes = [browser(300), taking(2, 600), taking(3, 200)];
    const tree = mebibytes(1100);
    expect(memoryVerdict(processes, LIMITS, { tree, program: mebibytes(240) })).toEqual({ kind: 'fine' });
    expect(memoryVerdict(processes, LIMITS, { tree, program: mebibytes(260) })).toMatchObject({ pid: 2, all: true });
  });

  it('counts once what two processes share', () => {
    const page = taking(2, 100, { shared: mebibytes(300) });
    expect(treeMemory([browser(50, 300), page])).toBe(mebibytes(450));
  });

  it('gives a browser more for more pages, and at least what four have', () => {
    expect([1, 4, 8].map((workers) => memoryLimits(workers).tree)).toEqual([1536, 1536, 2560].map(mebibytes));
  });

  it('has the kernel hold the browser to what the program leaves of the limit', () => {
    expect(browserLimit(LIMITS)).toBe(LIMITS.tree);
    expect(browserLimit({ ...LIMITS, withProgram: true })).toBe(mebibytes(1216));
  });

  it('has words for a record', () => {
    expect(memoryReason('page', mebibytes(1024))).toBe("memory: the page's processes took more than 1 GiB");
    expect(memoryReason('browser', mebibytes(1536))).toBe(
      'memory: the processes of the browser took more than 1.5 GiB',
    );
    expect(memoryReason('heap', mebibytes(512))).toBe('memory: the scripts of the page filled more than 512 MiB');
  });
});
