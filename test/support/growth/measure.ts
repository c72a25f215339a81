/**
 * Measures how a parser's work grows with its input: processor time of this process, which runs on one thread
 * (`--single-threaded`), not wall-clock time: other programs on the machine prolong it little. The least of several
 * runs counts, and a time below {@link FLOOR} is never judged.
 */
import { handWritten, hostileTexts, type HostileText } from './hostile-texts.ts';
import type { ParserCase } from './parser-case.ts';

/** Characters of n; the texts of 2n and 4n follow from it. */
export const LENGTH = 65_536;
/** Items of n in a list. */
export const COUNT = 25_000;
/** Milliseconds at 4n below which growth is not judged, because of noise. */
const FLOOR = 12;
/** The same for the cost of short texts, which is judged by the least of several runs. */
const SHORT_FLOOR = 3;
/** Limit of the ratio of 4n to n: linear is 4, n log n a little more, quadratic 16. Memory that no longer fits the cache may double it. */
export const RATIO_LIMIT = 9;
/** Factor for a second look at a bad result: with four times the input, garbage collection is a smaller part. */
const CERTAIN = 4;
/**
 * The limit for 1 MiB, as a multiple of the time to read it plainly ({@link plainReading}) on the same machine at the same
 * moment: 400 ms if that takes 40. Machines differ by more than twice, and so does one machine from minute to minute.
 */
const COST_TIMES = 10;
/** Lengths at which all texts are tried, repeated until about {@link SCREEN} characters are read. */
const SCREEN_LENGTHS = [2000, 8192] as const;
const SCREEN = 8192;
/** The number of a parser's most expensive texts whose growth is measured, besides the hand-written ones. */
const WORST = 3;
const RUNS = 5;
/** Faults of one parser after which its other texts are skipped: a quadratic parser fails for many, and takes long. */
const FAULTS = 3;

export interface Growth {
  readonly parser: string;
  readonly text: string;
  /** Milliseconds at n, 2n and 4n. */
  readonly times: readonly [number, number, number];
  /** From n to 4n: 1 is linear, 2 quadratic. */
  readonly exponent: number;
  /** Milliseconds for 1 MiB; null for lists. */
  readonly cost: number | null;
  /** The fault found; null if there is none. */
  readonly fault: string | null;
}

/** Called before each piece of work, so that the caller knows which one does not end. */
export type Telling = (parser: string, text: string) => void;

export function* growthsOf(parser: ParserCase, tell: Telling): Generator<Growth> {
  let faults = 0;
  for (const growth of allGrowthsOf(parser, tell)) {
    yield growth;
    if (growth.fault !== null) faults += 1;
    if (faults >= FAULTS) return;
  }
}

function* allGrowthsOf(parser: ParserCase, tell: Telling): Generator<Growth> {
  const costs: { readonly text: HostileText; readonly cost: number; readonly length: number }[] = [];
  for (const text of hostileTexts(parser)) {
    for (const length of SCREEN_LENGTHS) {
      tell(parser.name, `${text.name} (${length})`);
      const input = text.make(length);
      const times = Math.max(1, Math.round(SCREEN / input.length));
      const work = (): void => {
        for (let time = 0; time < times; time += 1) parser.run(input);
      };
      const attempt = attempted(work);
      if (attempt.fault !== null) yield failed(parser, text.name, attempt.fault);
      costs.push({ text, length, cost: perMebibyte(attempt.took, times * input.length) });
      let least = attempt.took;
      for (let run = 1; run < 2 * RUNS && isDear(parser, least, times * input.length); run += 1) {
        if (run >= RUNS) plain = plainReading();
        least = Math.min(least, attempted(work).took);
      }
      const cost = perMebibyte(least, times * input.length);
      if (isDear(parser, least, times * input.length))
        yield { ...failed(parser, text.name, `${Math.round(cost)} ms for 1 MiB in pieces of ${length}`), cost };
    }
  }
  const worst = costs.toSorted((one, other) => other.cost - one.cost).slice(0, WORST);
  const texts = new Set([...handWritten(parser.texts ?? {}), ...worst.map(({ text }) => text)].map(({ name }) => name));
  for (const text of hostileTexts(parser)) {
    if (!texts.has(text.name)) continue;
    tell(parser.name, text.name);
    const asked = { parser, text: text.name, size: LENGTH, tell };
    yield growthOf(asked, (length) => {
      const input = text.make(length);
      return () => parser.run(input);
    });
  }
  for (const [name, make] of Object.entries(parser.lists ?? {})) {
    tell(parser.name, name);
    yield { ...growthOf({ parser, text: name, size: COUNT, tell }, make), cost: null };
  }
}

function isDear(parser: ParserCase, took: number, length: number): boolean {
  return took > SHORT_FLOOR && perMebibyte(took, length) > limitOf(parser);
}

interface Asked {
  readonly parser: ParserCase;
  readonly text: string;
  readonly size: number;
  readonly tell: Telling;
}

function growthOf(asked: Asked, make: (size: number) => () => unknown): Growth {
  const growth = measured(asked, make);
  if (growth.fault === null || growth.times[2] <= growth.times[0] * RATIO_LIMIT) return growth;
  return measured({ ...asked, size: asked.size * CERTAIN }, make);
}

function measured({ parser, text, size, tell }: Asked, make: (size: number) => () => unknown): Growth {
  const works = [make(size), make(2 * size), make(4 * size)] as const;
  const least: [number, number, number] = [Infinity, Infinity, Infinity];
  const fault = (): string | null => faultOf(parser, least, size);
  for (let run = 0; run < 2 * RUNS; run += 1) {
    if (run >= RUNS) plain = plainReading();
    for (const [index, work] of works.entries()) {
      tell(parser.name, text);
      const attempt = attempted(work);
      if (attempt.fault !== null) return failed(parser, text, attempt.fault);
      least[index] = Math.min(least[index] ?? Infinity, attempt.took);
    }
    if (fault() === null) break;
  }
  const exponent = Math.log(Math.max(least[2], 0.001) / Math.max(least[0], 0.001)) / Math.log(4);
  return { parser: parser.name, text, times: least, exponent, cost: perMebibyte(least[2], 4 * size), fault: fault() };
}

function faultOf(parser: ParserCase, [one, , four]: readonly [number, number, number], size: number): string | null {
  if (four < FLOOR) return null;
  if (four > one * RATIO_LIMIT) return `${(four / one).toFixed(1)} times the work for 4 times the input`;
  const cost = perMebibyte(four, 4 * size);
  return size >= LENGTH && cost > limitOf(parser) ? `${Math.round(cost)} ms for 1 MiB` : null;
}

/** The limit for 1 MiB in milliseconds. */
function limitOf({ dear }: ParserCase): number {
  return plain * COST_TIMES * (dear?.times ?? 1);
}

const PLAIN_TEXT = 'some <b>words</b>, an &amp; "quoted" one\n'.repeat(30_000).slice(0, 1_048_576);

/**
 * Milliseconds for the minimum work of a parser on 1 MiB: a look at each character, a list of pieces, one pattern over everything. The
 * middle one of three: a single lucky one would make all that follow too expensive.
 */
function plainReading(): number {
  const [, middle = 0] = [onePlainReading(), onePlainReading(), onePlainReading()].toSorted(
    (one, other) => one - other,
  );
  return middle;
}

function onePlainReading(): number {
  return attempted(() => {
    const pieces: string[] = [];
    let from = 0;
    for (let at = 0; at < PLAIN_TEXT.length; at += 1) {
      const code = PLAIN_TEXT.charCodeAt(at);
      if (code !== 60 && code !== 38 && code !== 44) continue;
      pieces.push(PLAIN_TEXT.slice(from, at));
      from = at + 1;
    }
    return pieces.join(' ').replaceAll(/[a-z]+/g, (word) => word.toUpperCase());
  }).took;
}

/** Measured again, several times, before a text finally counts as too expensive. */
let plain = plainReading();

function failed({ name }: Pick<ParserCase, 'name'>, text: string, fault: string): Growth {
  return { parser: name, text, times: [0, 0, 0], exponent: 0, cost: null, fault };
}

function attempted(work: () => unknown): { readonly took: number; readonly fault: string | null } {
  const before = process.cpuUsage();
  let fault: string | null = null;
  try {
    work();
  } catch (error) {
    fault = `throws ${String(error).slice(0, 200)}`;
  }
  const { user, system } = process.cpuUsage(before);
  return { took: (user + system) / 1000, fault };
}

function perMebibyte(took: number, length: number): number {
  return (took * 1_048_576) / length;
}
