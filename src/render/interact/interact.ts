/** The part of a visit that uses the page: budgets around the interaction, requests held, and whatever it brought kept. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { isSafeRequest } from '../../core/interaction/safe-request.ts';
import type { TemplateMemory } from '../../core/interaction/template-memory.ts';
import type { FoundLink } from '../../model/link.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { Collected } from '../extract/collect.ts';
import { bareLink } from '../extract/found-links.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import {
  FAULT_LENGTH,
  HELD_SHOWN,
  INTERACTION_MARGIN,
  INTERACTION_TIME,
  PAGE_ACTIONS,
  RELOADS,
} from '../limits/interaction-limits.ts';
import { navigate } from '../page/navigate.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { RenderOptions } from '../renderer.ts';
import { PageInteraction } from './page-interaction.ts';

interface ActionsOptions {
  readonly url: CanonicalUrl;
  readonly options: Pick<RenderOptions, 'explore' | 'pageTimeout'>;
  readonly clock: Clock;
  readonly log: Log;
  /** On the monotonic clock: when the visit must be at its end. */
  readonly until: Milliseconds;
  readonly memory: TemplateMemory;
  /** Has the page a clock of its own? */
  readonly virtual: boolean;
  readonly idleWaitUntil: (until: Milliseconds) => IdleWait;
}

interface Interacted {
  readonly foundLinks: readonly FoundLink[];
  /** May the page serve again? */
  readonly sound: boolean;
}

/** Never rejects for what a page does; what was found before it went wrong is kept. @throws where the visit itself is over */
export async function interact(
  page: WarmPage,
  first: Collected,
  context: ActionsOptions,
  signal: AbortSignal,
): Promise<Interacted> {
  const { clock, options, memory, url } = context;
  const until = milliseconds(Math.min(clock.monotonic() + INTERACTION_TIME, context.until - INTERACTION_MARGIN));
  if (clock.monotonic() >= until) return { foundLinks: [], sound: true };
  const idleWait = context.idleWaitUntil(milliseconds(until + INTERACTION_MARGIN / 2));
  const submits = options.explore === 'submit';
  const held = new HeldRequests(page, first.main.base, submits);
  let reloads = 0;
  const reload = async (stop: AbortSignal): Promise<boolean> => {
    if (++reloads > RELOADS) return false;
    await held.letGo();
    const done = await loadAgain(page, context, idleWait, stop);
    await held.begin();
    return done;
  };
  const actions = memory.budget(url, PAGE_ACTIONS);
  const interaction = new PageInteraction(page, first, { idleWait, clock, until, actions, submits, reload });
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
    await held.letGo().catch(() => {}); // the page is gone
  }
  if (idleWait.spoiled) sound = false;
  memory.learn(url, interaction.yielded);
  return { foundLinks: [...interaction.found, ...held.foundLinks], sound };
}

/** The document once more, as at the start of the visit. */
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

/** Requests that could change something do not leave the browser while the crawler interacts with a page. */
class HeldRequests {
  readonly #page: WarmPage;
  readonly #base: string;
  readonly #letThrough: boolean;
  readonly #held = new Map<string, FoundLink>();

  constructor(page: WarmPage, base: string, letThrough: boolean) {
    this.#page = page;
    this.#base = base;
    this.#letThrough = letThrough;
  }

  get foundLinks(): readonly FoundLink[] {
    return [...this.#held.values()];
  }

  async begin(): Promise<void> {
    if (this.#letThrough) return;
    await this.#page.gate.hold(({ method, url, body, resourceType }) => {
      if (isSafeRequest({ method, url, body })) return true;
      // the browser calls fetch and XHR the same here
      const how = resourceType === 'Ping' ? 'beacon' : resourceType === 'Document' ? 'form' : 'fetch';
      const context = `${how} ${method} (held)`;
      const where = { frame: null, base: this.#base, stage: 'click' as const };
      if (this.#held.size < HELD_SHOWN)
        this.#held.set(`${context} ${url}`, bareLink(url, { kind: 'request', context }, where));
      return false;
    });
  }

  async letGo(): Promise<void> {
    if (!this.#letThrough) await this.#page.gate.hold(null);
  }
}
