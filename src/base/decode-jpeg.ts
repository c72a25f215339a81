/**
 * Reads JPEGs as browsers write them: baseline, 8 bits, grey or in three colours, one scan (ITU-T T.81). Everything that decides on a file's
 * work and memory is checked before the package reads it: with further scans a small file could ask for its whole picture again and again.
 */
import { decode } from 'jpeg-js';
import type { Pixels } from './decode-png.ts';

export type DecodedJpeg =
  | { readonly kind: 'pixels'; readonly pixels: Pixels }
  /** `not-jpeg`: of another format. `unsupported`: a JPEG of another kind. `too-large`: more pixels than the limit. `broken`: cut or damaged. */
  | { readonly kind: 'refused'; readonly why: 'not-jpeg' | 'unsupported' | 'too-large' | 'broken' };

/** Markers of table B.1. */
const MARKER = { start: 0xd8, end: 0xd9, baseline: 0xc0, huffman: 0xc4, scan: 0xda } as const;
/** Bytes of memory for a pixel while it is read: measured (20), and some more. */
const BYTES_A_PIXEL = 32;
const MEBIBYTE = 1_048_576;
/** Mebibytes for tables that every picture has, however small. */
const LEAST_MEMORY = 16;

/** @param most pixels; a picture of that size takes twenty times as many bytes of memory while it is read */
export function decodeJpeg(bytes: Uint8Array, most: number): DecodedJpeg {
  if (bytes[0] !== 0xff || bytes[1] !== MARKER.start) return { kind: 'refused', why: 'not-jpeg' };
  const size = sizeOf(bytes);
  if (typeof size === 'string') return { kind: 'refused', why: size };
  if (size.width * size.height > most) return { kind: 'refused', why: 'too-large' };
  try {
    const { width, height, data } = decode(bytes, {
      useTArray: true,
      tolerantDecoding: false,
      maxResolutionInMP: most / 1_000_000 + 1,
      maxMemoryUsageInMB: LEAST_MEMORY + (most * BYTES_A_PIXEL) / MEBIBYTE,
    });
    if (width !== size.width || height !== size.height) return { kind: 'refused', why: 'broken' };
    return { kind: 'pixels', pixels: { width, height, data } };
  } catch {
    return { kind: 'refused', why: 'broken' }; // the package throws for everything that it does not understand
  }
}

/** Size of the one frame of a picture that is of a supported kind. */
function sizeOf(bytes: Uint8Array): { readonly width: number; readonly height: number } | 'unsupported' | 'broken' {
  let size: { readonly width: number; readonly height: number } | null = null;
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    const length = word(bytes, at + 2);
    if (bytes[at] !== 0xff || length < 2) return 'broken';
    if (marker === MARKER.scan) {
      if (size === null) return 'broken';
      return isLastScan(bytes, at + 2 + length) ? size : 'unsupported';
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== MARKER.huffman) {
      if (marker !== MARKER.baseline || size !== null || !isUsualFrame(bytes, at + 4)) return 'unsupported';
      size = { height: word(bytes, at + 5), width: word(bytes, at + 7) };
      if (size.width === 0 || size.height === 0) return 'unsupported';
    }
    at += 2 + length;
  }
  return 'broken';
}

/** 8 bits, one component or three, none in more than twice the resolution of another. @param at of the frame's parameters */
function isUsualFrame(bytes: Uint8Array, at: number): boolean {
  const components = bytes[at + 5] ?? 0;
  if (bytes[at] !== 8 || (components !== 1 && components !== 3)) return false;
  for (let index = 0; index < components; index++) {
    const sampling = bytes[at + 7 + index * 3] ?? 0;
    const [across, down] = [sampling >> 4, sampling & 15];
    if (across < 1 || across > 2 || down < 1 || down > 2) return false;
  }
  return true;
}

/** Is the end the only marker left? In the data of a scan a marker is 0xff and a byte that is neither 0 nor a restart. */
function isLastScan(bytes: Uint8Array, start: number): boolean {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === MARKER.end || next === undefined) return true;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return false;
  }
  return true; // cut, which the package finds out
}

function word(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
