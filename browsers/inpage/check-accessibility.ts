/** Runs axe-core over the document, in the world into which it was loaded before. The result is cut here, and checked where it arrives. */
import type { AxeInput, RawAxeCheck } from '../../src/model/accessibility.ts';
import { finishAnimations } from './pictures/picture-state.ts';
import { select } from './safe-dom.ts';

/** The parts of axe-core that are used. */
interface Axe {
  configure(spec: { readonly allowedOrigins: readonly string[]; readonly noHtml: boolean }): void;
  run(context: Document, options: object): Promise<AxeAnswer>;
}

interface AxeAnswer {
  readonly violations: readonly RuleAnswer[];
  readonly incomplete: readonly RuleAnswer[];
}

interface RuleAnswer {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly NodeAnswer[];
}

interface NodeAnswer {
  readonly html: string;
  /** Selectors; a nested list for an element in shadow trees. */
  readonly target: readonly (string | readonly string[])[];
  readonly any: readonly CheckAnswer[];
  readonly all: readonly CheckAnswer[];
  readonly none: readonly CheckAnswer[];
}

interface CheckAnswer {
  readonly message?: string;
}

/** Global variable of the world in which this script runs. */
declare const axe: Axe;

/**
 * Timers of axe-core up to this delay run at once. Real timers would go by the page's clock, which stands still; without them the check is
 * one task, in which no script of the page runs. Longer delays are axe-core's own time limits for answers of others, which are not asked.
 */
const SOON = 20;

export async function checkAccessibility(input: AxeInput): Promise<RawAxeCheck> {
  const { scrollWidth, scrollHeight } = document.scrollingElement ?? document.documentElement;
  const isLarge = select(document, '*').length > input.elements || !(scrollWidth * scrollHeight <= input.pixels);
  if (isLarge) return { end: 'too-large', violations: [], undecided: 0 };
  Object.assign(globalThis, {
    setTimeout: (call: () => void, wait = 0): number => {
      if (wait <= SOON) queueMicrotask(call);
      return 0;
    },
  });
  finishAnimations(document); // a half faded-in element has no contrast
  // axe-core obeys no message of a page, and sends none to its frames
  axe.configure({ allowedOrigins: [], noHtml: false });
  const answer = await axe.run(document, {
    resultTypes: ['violations', 'incomplete'],
    // frames are documents of their own; nothing is loaded for the check
    iframes: false,
    preload: false,
    elementRef: false,
    performanceTimer: false,
  });
  const violations = answer.violations.map(({ id, impact, nodes }) => ({
    rule: id,
    impact: String(impact),
    nodes: { count: nodes.length, first: distinct(nodes, input) },
  }));
  return { end: 'done', violations, undecided: answer.incomplete.reduce((sum, { nodes }) => sum + nodes.length, 0) };
}

type RawNode = RawAxeCheck['violations'][number]['nodes']['first'][number];

/** Keeps the first node of each kind: a thousand like elements say nothing more. */
function distinct(nodes: readonly NodeAnswer[], { listed, length }: AxeInput): readonly RawNode[] {
  const found = new Map<string, RawNode>();
  for (const { html, target, any, all, none } of nodes) {
    if (found.size >= listed) break;
    const snippet = String(html).slice(0, length);
    const tag = snippet.split('>', 1)[0] ?? '';
    if (found.has(tag)) continue;
    const why = [...none, ...all, ...any].find(({ message }) => typeof message === 'string')?.message ?? '';
    found.set(tag, { selector: target.flat().join(' ').slice(0, length), snippet, why: why.slice(0, length) });
  }
  return [...found.values()];
}
