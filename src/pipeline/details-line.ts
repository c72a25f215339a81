/** Builds the line of details.jsonl for a captured page. */
import { cutText } from '../base/cut-text.ts';
import { kibibytes, type Bytes } from '../base/units.ts';
import type { AxeCheck } from '../model/accessibility.ts';
import {
  DETAILED_HEADER_LENGTH,
  DETAILED_HEADERS,
  type PageBehaviour,
  type PageDetails,
} from '../model/page-details.ts';
import type { Page } from '../model/page.ts';

/** Longest line, whatever the page contains. */
const DETAILS_LIMIT: Bytes = kibibytes(64);
/** How often lists may be halved until the line is short enough. */
const HALVES = 6;

const KEPT: ReadonlySet<string> = new Set(DETAILED_HEADERS);

/** The line as JSON, without a line feed. */
export function detailsLine({ url, rendered, headers, received, behaviour, axe }: Page): string {
  const details: PageDetails = {
    url,
    rendered,
    headers: headers
      .filter(([name]) => KEPT.has(name))
      .slice(0, DETAILED_HEADERS.length * 2)
      .map(([name, value]) => [name, cutText(value, DETAILED_HEADER_LENGTH)]),
    received: typeof received === 'object' ? received : null,
    behaviour: behaviour ?? null,
    axe: axe ?? null,
  };
  let line = JSON.stringify(details);
  for (let listed = 10, tries = 0; isTooLong(line) && tries < HALVES; listed = Math.floor(listed / 2), tries += 1)
    line = JSON.stringify({
      ...details,
      behaviour: shortened(details.behaviour, listed),
      axe: details.axe === null ? null : shortenedCheck(details.axe, listed),
    });
  return isTooLong(line)
    ? JSON.stringify({ ...details, headers: [], received: null, behaviour: null, axe: null })
    : line;
}

function isTooLong(line: string): boolean {
  return Buffer.byteLength(line) > DETAILS_LIMIT;
}

/** Shortens lists of elements; each rule keeps at least one element. */
function shortenedCheck(check: AxeCheck, listed: number): AxeCheck {
  return {
    ...check,
    violations: check.violations.map(({ nodes, ...violation }) => ({
      ...violation,
      nodes: { count: nodes.count, first: nodes.first.slice(0, Math.max(1, listed)) },
    })),
  };
}

/** Shortens lists; counts stay. */
function shortened(behaviour: PageBehaviour | null, listed: number): unknown {
  if (behaviour === null) return null;
  const short = Object.entries(behaviour).map(([name, value]: [string, unknown]) => [
    name,
    shortenedValue(value, listed),
  ]);
  const { steadyImages, steadyImagesCut = false } = behaviour;
  return { ...Object.fromEntries(short), steadyImagesCut: steadyImagesCut || steadyImages.length > listed };
}

function shortenedValue(value: unknown, listed: number): unknown {
  if (Array.isArray(value)) return value.slice(0, listed);
  if (typeof value !== 'object' || value === null || !('first' in value) || !Array.isArray(value.first)) return value;
  return { ...value, first: value.first.slice(0, listed) };
}
