/**
 * Removes chance from a page's own world, and replaces the clock where it is the real one (`--deterministic`). No other script of ours
 * changes what a page finds there, but for service workers (render/page/hide-service-workers.ts). Runs before any script of the page, in documents and in workers.
 */
import type { DeterministicInput } from '../../src/model/page-actions.ts';

/** Longest time in ms that a virtual clock can have run since its start: a visit ends long before. */
const VIRTUAL_SPAN = 24 * 60 * 60 * 1000;

export function makeDeterministic({ start, worker }: DeterministicInput): void {
  const next = seeded(seedOf(worker ?? documentAddress()));
  fixChance(next);
  // a worker begins at a random moment, and its page's clock goes on meanwhile
  if (worker !== undefined || Math.abs(Date.now() - start) > VIRTUAL_SPAN) shiftClock(start - Date.now());
  roundClock();
}

/** Address without the origin. A document without an address of its own: also that of its parent. A blob: its scheme, as the rest is random. */
function documentAddress(): string {
  const { protocol, pathname, search, hash } = location;
  if (protocol === 'blob:') return protocol;
  if (protocol !== 'about:') return pathname + search + hash;
  const base = new URL(document.baseURI);
  return `${pathname} ${base.pathname}${base.search}`;
}

/** 32-bit FNV-1a. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** mulberry32 (Tommy Ettinger, public domain): whole numbers of 32 bits. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Replaces the value of a property, and leaves it as visible and as changeable as it was. */
function replace(owner: object, name: string, value: unknown): void {
  const {
    configurable = true,
    enumerable = false,
    writable = true,
  } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  Object.defineProperty(owner, name, { configurable, enumerable, writable, value });
}

function fixChance(next: () => number): void {
  const random = (): number => next() / 2 ** 32;
  replace(Math, 'random', { random: () => random() }.random);
  if (typeof Crypto === 'undefined') return;
  const { getRandomValues } = Crypto.prototype;
  const fill = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = next();
  };
  const chance = {
    getRandomValues<View extends ArrayBufferView<ArrayBuffer>>(this: Crypto, view: View): View {
      Reflect.apply(getRandomValues, this, [view]); // throws where the original throws
      fill(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
      return view;
    },
    randomUUID(): string {
      const bytes = new Uint8Array(16);
      fill(bytes);
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40; // version 4, RFC 9562 section 5.4
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
  replace(Crypto.prototype, 'getRandomValues', chance.getRandomValues);
  // exists in secure contexts only
  if ('randomUUID' in Crypto.prototype) replace(Crypto.prototype, 'randomUUID', chance.randomUUID);
}

/** Moves the time of day of a worker, or of a page with the real clock, to where a page's clock begins. The speed stays the same. */
function shiftClock(offset: number): void {
  const Real = Date;
  const { now } = Real;
  const shifted = (): number => now() + offset;
  const Shifted = new Proxy(Real, {
    apply: () => new Real(shifted()).toString(),
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [shifted()] : given, made),
  });
  replace(Real, 'now', { now: () => shifted() }.now);
  replace(Real.prototype, 'constructor', Shifted);
  replace(globalThis, 'Date', Shifted);
}

/** Rounds the page's clock to milliseconds: it begins at any fraction of one, so fractions are chance. */
function roundClock(): void {
  const { now } = Performance.prototype;
  const rounded = {
    now(this: Performance): number {
      return Math.round(Reflect.apply(now, this, []));
    },
  };
  replace(Performance.prototype, 'now', rounded.now);
}
