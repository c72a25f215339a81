/** Checks a page with axe-core after it was read: in a world of its own, in one task of the page, for a bounded time. */
import { z } from 'zod';
import { cutText } from '../../base/cut-text.ts';
import { DeadlineExceeded } from '../../base/deadline.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { AXE_ENDS, AXE_IMPACTS, type AxeCheck, type AxeEnd, type AxeViolation } from '../../model/accessibility.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { mainAddress } from '../extract/collect.ts';
import { SOURCE as CHECK_ACCESSIBILITY } from '../generated/check-accessibility.ts';
import {
  AXE_ELEMENTS,
  AXE_LEAST_TIME,
  AXE_LISTED,
  AXE_NODES,
  AXE_PIXELS,
  AXE_TEXT,
  AXE_TIME,
  AXE_VIOLATIONS,
} from '../limits/axe-limits.ts';
import { runInWorldApart } from '../page/isolated-world.ts';
import { wasEnded } from '../page/script-limit.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { AxeEngine } from './axe-engine.ts';
import type { AxeSample } from './axe-sample.ts';

/** The engine that checks pages, and the choice of pages. */
export interface AxeSettings {
  readonly engine: AxeEngine;
  readonly sample: AxeSample;
}

interface CheckTimes {
  readonly url: CanonicalUrl;
  /** Time left for this visit. */
  readonly left: Milliseconds;
}

interface PageChecked {
  /** Null where the page was not to be checked. */
  readonly check: AxeCheck | null;
  /** May the page still be used? */
  readonly sound: boolean;
}

const WORLD = 'orbweaverAxe';

/**
 * @param settings null: no page is checked
 * Never rejects for what a page does: a page that breaks the check is not checked. @throws where the visit is over
 */
export async function checkPage(
  page: WarmPage,
  settings: AxeSettings | null,
  { url, left }: CheckTimes,
  signal: AbortSignal,
): Promise<PageChecked> {
  if (settings === null || !settings.sample.takes(url)) return { check: null, sound: true };
  let check = ended('timed-out');
  let sound = true;
  if (left > AXE_LEAST_TIME) {
    try {
      check = await asked(page, settings.engine, milliseconds(Math.min(AXE_TIME, left)), signal);
    } catch (error) {
      if (!page.gone.aborted) signal.throwIfAborted();
      // the browser has ended the script, or has not and the page hangs in it
      const hangs = page.gone.aborted || error instanceof DeadlineExceeded;
      check = ended(hangs || wasEnded(error) ? 'timed-out' : 'failed');
      sound = !hangs;
    }
  }
  settings.sample.ended(url, check.end === 'done');
  return { check, sound };
}

function ended(end: AxeEnd): AxeCheck {
  return { end, violations: [], undecided: 0 };
}

function asked(
  page: WarmPage,
  { script, rules }: AxeEngine,
  limit: Milliseconds,
  signal: AbortSignal,
): Promise<AxeCheck> {
  const known = new Set(rules.map(({ id }) => id));
  const input = { elements: AXE_ELEMENTS, pixels: AXE_PIXELS, listed: AXE_LISTED, length: AXE_TEXT };
  const run = {
    source: CHECK_ACCESSIBILITY,
    input,
    limit,
    later: true,
    parse: (answer: unknown) => axeCheck(answer, known),
  };
  // elements of the page may have the names of the variables by which the library looks for a loader
  const library = `(function(define,module,exports){${script}\n}).call(globalThis)`;
  return runInWorldApart(page, mainAddress(page), { name: WORLD, library, ...run }, signal);
}

const count = z.number().int().nonnegative().max(1e6);
const text = z.string().transform((value) => cutText(value, AXE_TEXT));
const checkShape = z.object({
  end: z.enum(AXE_ENDS),
  violations: z
    .array(
      z.object({
        rule: z.string().max(100),
        impact: z.enum(AXE_IMPACTS).catch('moderate'),
        nodes: z.object({
          count,
          first: z.array(z.object({ selector: text, snippet: text, why: text })).max(AXE_LISTED),
        }),
      }),
    )
    .max(AXE_VIOLATIONS),
  undecided: count,
});

/**
 * @param answer of the script `check-accessibility`; @param rules the known rules; others are left out
 * @returns null for anything else
 */
export function axeCheck(answer: unknown, rules: ReadonlySet<string>): AxeCheck | null {
  const { data } = checkShape.safeParse(answer);
  if (data === undefined) return null;
  let left = AXE_NODES;
  const violations: AxeViolation[] = [];
  for (const { rule, impact, nodes } of data.violations) {
    if (!rules.has(rule)) continue;
    // each rule shows at least one node; its other nodes share the rest
    const first = nodes.first.slice(0, Math.max(1, left));
    left -= first.length;
    violations.push({ rule, impact, nodes: { count: Math.max(nodes.count, first.length), first } });
  }
  return { ...data, violations };
}
