import { describe, expect, it } from 'vitest';
import type { JournalFiles } from '../../../src/crawl-folder/journal-files.ts';
import { createJournalPump } from '../../../src/crawl/journal-pump.ts';
import type { Frontier } from '../../../src/frontier/frontier.ts';
import type { JournalEntry } from '../../../src/model/journal-entry.ts';

const entry = (url: string): JournalEntry => ({
  page: null,
  links: [],
  skipped: [{ url, reason: 'depth', rule: 'a rule', referrer: null }],
});
const noPause = (): Promise<void> => Promise.resolve();
const nameOf = ({ skipped }: JournalEntry): string => skipped[0]?.url ?? '';

/** A journal, and files that record the order of their calls. */
function bench(failing: 'append' | null = null): {
  readonly frontier: Frontier;
  readonly files: JournalFiles;
  readonly journal: JournalEntry[];
  readonly steps: string[];
} {
  const journal: JournalEntry[] = [];
  const steps: string[] = [];
  let written = 0;
  const frontier: Pick<Frontier, 'journal' | 'journalWritten'> = {
    journal: (count) =>
      Promise.resolve({ entries: journal.slice(0, count), upTo: written + Math.min(count, journal.length) }),
    journalWritten: ({ upTo, lengths }) => {
      steps.push(`forget up to ${upTo} at ${lengths['skipped.jsonl']}`);
      journal.splice(0, upTo - written);
      written = upTo;
      return Promise.resolve();
    },
  };
  let length = 0;
  const files: Pick<JournalFiles, 'append'> = {
    append: (entries) => {
      if (failing === 'append') return Promise.reject(new Error('disk full'));
      steps.push(`write ${entries.map(nameOf).join(' ')}`);
      length += entries.length;
      return Promise.resolve({ 'pages.jsonl': 0, 'links.jsonl': 0, 'skipped.jsonl': length, 'details.jsonl': 0 });
    },
  };
  return { frontier: frontier as Frontier, files: files as Partial<JournalFiles> as JournalFiles, journal, steps };
}

describe('the journal pump', () => {
  it('forgets entries only after their lines are written, and tells of them after that', async () => {
    const { frontier, files, journal, steps } = bench();
    journal.push(entry('a'), entry('b'));
    const pump = createJournalPump(
      frontier,
      files,
      (each) => Promise.resolve(void steps.push(`tell ${nameOf(each)}`)),
      noPause,
    );
    await pump.drain();
    expect(steps).toEqual(['write a b', 'forget up to 2 at 2', 'tell a', 'tell b']);
    expect(journal).toEqual([]);
  });

  it('forgets nothing and tells nothing where the lines cannot be written', async () => {
    const { frontier, files, journal, steps } = bench('append');
    journal.push(entry('a'));
    const pump = createJournalPump(frontier, files, () => Promise.resolve(), noPause);
    await expect(pump.run(new AbortController().signal)).rejects.toThrow('disk full');
    expect([steps, journal.length]).toEqual([[], 1]);
  });

  it('carries a long journal in stretches of a hundred', async () => {
    const { frontier, files, journal, steps } = bench();
    for (let index = 0; index < 250; index += 1) journal.push(entry(String(index)));
    await createJournalPump(frontier, files, () => Promise.resolve(), noPause).drain();
    expect(steps.filter((step) => step.startsWith('forget'))).toEqual([
      'forget up to 100 at 100',
      'forget up to 200 at 200',
      'forget up to 250 at 250',
    ]);
  });

  it('writes nothing more where the journal has gone back to what was written before', async () => {
    const { frontier, files, journal, steps } = bench();
    journal.push(entry('a'), entry('b'));
    const pump = createJournalPump(frontier, files, () => Promise.resolve(), noPause);
    await pump.drain();
    steps.length = 0;
    const lost: Pick<Frontier, 'journal'> = { journal: () => Promise.resolve({ entries: [entry('b')], upTo: 2 }) };
    Object.assign(frontier, lost);
    await expect(pump.drain()).rejects.toMatchObject({
      code: 'STATE_LOST',
      message: expect.stringContaining('Resume'),
    });
    expect(steps).toEqual([]);
  });

  it('says the same where the journal goes back while its lines are written', async () => {
    const { frontier, files, journal, steps } = bench();
    journal.push(entry('a'), entry('b'));
    const refusing: Pick<Frontier, 'journalWritten'> = {
      journalWritten: () => Promise.reject(new RangeError('the journal has no stretch that ends before entry 2')),
    };
    const pump = createJournalPump(Object.assign(frontier, refusing), files, () => Promise.resolve(), noPause);
    await expect(pump.drain()).rejects.toMatchObject({ code: 'STATE_LOST' });
    expect(steps).toEqual(['write a b']);
  });

  it('sleeps until it is rung, and ends with its signal', async () => {
    const { frontier, files, journal } = bench();
    const told: string[] = [];
    const heard = new AbortController();
    const pump = createJournalPump(
      frontier,
      files,
      (each) => {
        told.push(nameOf(each));
        heard.abort();
        return Promise.resolve();
      },
      noPause,
    );
    const stop = new AbortController();
    const running = pump.run(stop.signal);
    await new Promise((resolve) => setImmediate(resolve));
    journal.push(entry('late'));
    const rung = new Promise((resolve) => heard.signal.addEventListener('abort', resolve));
    pump.notify();
    await rung;
    stop.abort();
    await running;
    expect(told).toEqual(['late']);
  });
});
