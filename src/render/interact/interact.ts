/** The part of a visit that uses the page: sets budgets for the interaction, holds requests, and keeps what it found. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { InteractionBudget, type BudgetLimits } from '../../core/interaction/interaction-budget.ts';
import type { InteractionMemory } from '../../core/interaction/interaction-memory.ts';
import { unusedControls } from '../../core/interaction/unused-controls.ts';
import type { FoundLink } from '../../model/link.ts';
import type { UnusedControls } from '../../model/page-actions.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { Collected } from '../extract/collect.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import {
  EARNED_ACTIONS,
  EARNED_RELOADS,
  EARNED_TIME,
  FAULT_LENGTH,
  EARNED_SHARE,
  INTERACTION_MARGIN,
  INTERACTION_SHARE,
  INTERACTION_TIME,
  PAGE_ACTIONS,
  RELOADS,
} from '../limits/interaction-limits.ts';
import { navigate } from '../page/navigate.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { RenderOptions } from '../renderer.ts';
import { HeldRequests } from './held-requests.ts';
import { PageInteraction } from './page-interaction.ts';
import { UsedTime } from './used-time.ts';

interface ActionsOptions {
  readonly url: CanonicalUrl;
  readonly options: Pick<RenderOptions, 'explore' | 'pageTimeout'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Time on the monotonic clock at which the visit must be at its end. */
  readonly until: Milliseconds;
  readonly memory: InteractionMemory;
  /** Has the page a clock of its own? */
  readonly virtual: boolean;
  readonly idleWaitUntil: (latest: Milliseconds) => IdleWait;
}

export interface Interacted {
  readonly foundLinks: readonly FoundLink[];
  /** Controls that were left as the budget was at its end, or the page hung; null where none was. */
  readonly unusedControls: UnusedControls | null;
  /** May the page serve again? */
  readonly sound: boolean;
}

export const NOT_USED: Interacted = { foundLinks: [], unusedControls: null, sound: true };

/** @param pageTimeout one longer than usual prolongs the use of a page, too */
function limitsOf(actions: number, pageTimeout: Milliseconds): BudgetLimits {
  return {
    actions,
    earnedActions: EARNED_ACTIONS,
    reloads: RELOADS,
    earnedReloads: EARNED_RELOADS,
    time: milliseconds(Math.max(INTERACTION_TIME, pageTimeout * INTERACTION_SHARE)),
    earnedTime: milliseconds(Math.max(EARNED_TIME, pageTimeout * EARNED_SHARE)),
  };
}

/** Never rejects for what a page does; links found before a failure are kept. @throws where the visit itself is over */
export async function interact(
  page: WarmPage,
  first: Collected,
  context: ActionsOptions,
  signal: AbortSignal,
): Promise<Interacted> {
  const { clock, options, memory, url } = context;
  const until = milliseconds(context.until - INTERACTION_MARGIN);
  if (clock.monotonic() >= until) return NOT_USED;
  const idleWait = context.idleWaitUntil(milliseconds(until + INTERACTION_MARGIN / 2));
  const submits = options.explore === 'submit';
  const held = new HeldRequests(page, first.main.base, submits);
  const reload = async (stop: AbortSignal): Promise<boolean> => {
    await held.end(stop);
    const done = await loadAgain(page, context, idleWait, stop);
    await held.begin();
    return done;
  };
  const actions = memory.templates.budget(url, PAGE_ACTIONS);
  const budget = new InteractionBudget(limitsOf(actions, options.pageTimeout), until);
  using usedTime = new UsedTime(page.browser.given, clock);
  const beware = (stop: AbortSignal): Promise<boolean> => held.beginStrictly(stop);
  const interaction = new PageInteraction(page, first, {
    ...{ idleWait, clock, budget, usedTime },
    ...{ submits, reload, beware },
    learnt: memory.actions.onPage(url),
    held: () => held.foundLinks,
  });
  let sound = true;
  try {
    await held.begin();
    await interaction.run(signal);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    context.log.debug('interaction broken off', {
      url,
      links: interaction.found.length,
      detail: detail.slice(0, FAULT_LENGTH),
    });
    // a page without some of its links is worth more than no page
    if (!page.gone.aborted) signal.throwIfAborted();
    sound = false;
  } finally {
    await held.end(signal).catch(() => (sound = false)); // the page is gone, or hangs
  }
  if (idleWait.spoiled) sound = false;
  memory.templates.learn(url, interaction.yielded);
  const { pending, isHung } = interaction.learn();
  const spent = sound ? budget.exhausted({ now: clock.monotonic(), spent: usedTime.beside(idleWait.waited) }) : null;
  const limit = spent ?? (isHung || idleWait.hung ? 'hangs' : null);
  // few actions are allowed where similar pages have shown that they bring nothing
  const isCut = limit !== 'actions' || actions === PAGE_ACTIONS.most;
  const unused = isCut ? unusedControls(pending, limit) : null;
  return { foundLinks: [...interaction.found, ...held.foundLinks], unusedControls: unused, sound };
}

/** Loads the document again, as at the start of the visit. */
async function loadAgain(
  page: WarmPage,
  { url, options, clock, virtual }: ActionsOptions,
  idleWait: IdleWait,
  signal: AbortSignal,
): Promise<boolean> {
  const arrival = await navigate(
    page,
    url,
    { clock, limit: options.pageTimeout, holdClock: virtual, document: null },
    signal,
  );
  if (arrival.kind !== 'rendering') return false;
  await idleWait.waitForIdle(signal);
  if (!idleWait.spoiled) await idleWait.draw(signal);
  return !idleWait.spoiled;
}
