/** The index entry of one URL, without its edges. */
import type { ByteReader, ByteWriter } from '../../core/graph/bytes.ts';
import { RECORD_OUTCOMES, type RecordOutcome } from '../../model/record.ts';

/** A stretch of links.jsonl, in bytes: lines whose source is one page. */
export interface LineStretch {
  readonly offset: number;
  readonly length: number;
}

export interface NodeEntry {
  /** null where it has no line in pages.jsonl. */
  readonly outcome: RecordOutcome | null;
  readonly isSeed: boolean;
  /** Does the page ask that its links are not followed? */
  readonly isNofollow: boolean;
  /** The number of the URL that it redirects to. */
  readonly redirect: number | null;
  readonly stretches: readonly LineStretch[];
}

/** The outcome takes the low four bits of the first byte; 0 for no outcome. The names are in the order of this version's list. */
const OUTCOME_MASK = 15;
const SEED = 16;
const NOFOLLOW = 32;
const REDIRECT = 64;
const LINES = 128;

export function writeNode(writer: ByteWriter, node: NodeEntry): void {
  const { outcome, isSeed, isNofollow, redirect, stretches } = node;
  writer.byte(
    (outcome === null ? 0 : RECORD_OUTCOMES.indexOf(outcome) + 1) |
      (isSeed ? SEED : 0) |
      (isNofollow ? NOFOLLOW : 0) |
      (redirect === null ? 0 : REDIRECT) |
      (stretches.length === 0 ? 0 : LINES),
  );
  if (redirect !== null) writer.varint(redirect);
  if (stretches.length === 0) return;
  writer.varint(stretches.length);
  let end = 0;
  for (const { offset, length } of stretches) {
    writer.varint(offset - end);
    writer.varint(length);
    end = offset + length;
  }
}

export function readNode(reader: ByteReader): NodeEntry {
  const flags = reader.byte();
  const redirect = (flags & REDIRECT) === 0 ? null : reader.varint();
  const stretches: LineStretch[] = [];
  let end = 0;
  for (let left = (flags & LINES) === 0 ? 0 : reader.varint(); left > 0 && !reader.atEnd; left -= 1) {
    const offset = end + reader.varint();
    const length = reader.varint();
    stretches.push({ offset, length });
    end = offset + length;
  }
  return {
    outcome: RECORD_OUTCOMES[(flags & OUTCOME_MASK) - 1] ?? null,
    isSeed: (flags & SEED) !== 0,
    isNofollow: (flags & NOFOLLOW) !== 0,
    redirect,
    stretches,
  };
}
