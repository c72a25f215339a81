/**
 * Runs our scripts where the page's own cannot touch them, and returns only answers that have been checked.
 * Strings are cut, lists are capped, values of the wrong shape are dropped and counted.
 */
import { z } from 'zod';
import { parsedJson } from '../../base/safe-json.ts';
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { cutText } from '../../base/cut-text.ts';
import { DeadlineExceeded } from '../../base/deadline.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { isRawLinkKind } from '../../model/link-kinds.ts';
import { NAVIGATION_WAYS, type FrameCollection, type ActivitySample, type RawLink } from '../../model/page-facts.ts';
import {
  ANSWER_LIMIT,
  ANSWER_MARGIN,
  FACT_LENGTH,
  HTML_LIMIT,
  LINK_LIMIT,
  NAVIGATION_LIMIT,
  SCRIPT_LIMIT,
  TEXT_LIMIT,
  URL_LENGTH,
} from '../page-limits.ts';
import { residentCall } from './resident-scripts.ts';
import { wasEnded } from './script-limit.ts';
import { WORLD_NAME, type WarmPage } from './warm-page.ts';

/** A document to run in: a frame of the page's process, or one of a process of its own with its own session. */
export interface FrameAddress {
  readonly session: DevToolsSession;
  readonly frameId: string;
  /** Null for the page itself. */
  readonly url: string | null;
}

/** Thrown where a script of ours gave no answer or one of the wrong shape: the document hangs or plays tricks. */
export class ScriptFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ScriptFailed';
  }
}

interface ScriptRun<Result> {
  /** A function of the input, as source. */
  readonly source: string;
  readonly input: unknown;
  readonly parse: (answer: unknown) => Result | null;
  /** Runs as if a person had asked for it: functions that need a gesture (a window, full screen) believe it. */
  readonly gesture?: boolean;
  /** The browser ends the script after so long, on a busy machine later. */
  readonly limit?: Milliseconds;
  /** Is the answer a promise? */
  readonly later?: boolean;
}

/**
 * Runs a script in the page's own world, for facts that only this world shows. It reads, and changes nothing; the page may
 * have made up its answer.
 * @throws as {@link runInWorld}
 */
export async function runInPage<Result>(page: WarmPage, run: ScriptRun<Result>, signal: AbortSignal): Promise<Result> {
  const { source, input, limit = SCRIPT_LIMIT } = run;
  const expression = `(${source})(${JSON.stringify(input) ?? ''})`;
  const timeout = page.browser.given.realTime(limit);
  const call = page.session.send('Runtime.evaluate', { expression, returnByValue: true, timeout });
  const waited = milliseconds(limit + ANSWER_MARGIN);
  return answerOf(run, await page.within(call, 'a script in the page', signal, waited));
}

/**
 * The same for a frame of the page's process: runs in the world of an object of the frame's own.
 * @throws as {@link runInWorld}
 */
export async function runBeside<Result>(
  page: WarmPage,
  objectId: string,
  run: ScriptRun<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const { source, input, limit = SCRIPT_LIMIT } = run;
  const functionDeclaration = `function(){return (${source})(${JSON.stringify(input) ?? ''})}`;
  const call = page.session.send('Runtime.callFunctionOn', { functionDeclaration, objectId, returnByValue: true });
  const waited = milliseconds(limit + ANSWER_MARGIN);
  return answerOf(run, await page.within(call, 'a script in a frame', signal, waited));
}

/** @throws {ScriptFailed | DeadlineExceeded | PageEnded} where there is no usable answer */
export async function runInWorld<Result>(
  page: WarmPage,
  frame: FrameAddress,
  run: ScriptRun<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return answerOf(run, await evaluated(page, frame, run, signal));
}

function answerOf<Result>(run: ScriptRun<Result>, { result, exceptionDetails }: Evaluated): Result {
  if (exceptionDetails !== undefined) {
    throw new ScriptFailed((exceptionDetails.exception?.description ?? exceptionDetails.text).slice(0, 200));
  }
  const parsed = run.parse(typeof result.value === 'string' ? parsedJson(result.value) : result.value);
  if (parsed === null) throw new ScriptFailed('the answer has the wrong shape');
  return parsed;
}

interface ApartRun<Result> extends ScriptRun<Result> {
  /** Name of the world, which holds nothing else. */
  readonly name: string;
  /** Source that is evaluated in the world before the script. */
  readonly library: string;
}

/**
 * Runs a script as {@link runInWorld} does, but in a world beside ours, for code that changes its world.
 * @throws as {@link runInWorld}
 */
export async function runInWorldApart<Result>(
  page: WarmPage,
  frame: FrameAddress,
  run: ApartRun<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const { name, library, source, input, later = false, limit = SCRIPT_LIMIT } = run;
  const contextId = await createWorld(page, frame, name, signal);
  const expression = `${library};(${source})(${JSON.stringify(input) ?? ''})`;
  const timeout = page.browser.given.realTime(limit);
  const call = evaluate(frame.session, expression, { contextId, timeout, ...(later ? { awaitPromise: true } : {}) });
  return answerOf(run, await page.within(call, name, signal, milliseconds(limit + ANSWER_MARGIN)));
}

type Evaluated = Awaited<ReturnType<typeof evaluate>>;

function evaluate(
  session: DevToolsSession,
  expression: string,
  how: {
    readonly contextId: number;
    readonly userGesture?: boolean;
    readonly awaitPromise?: boolean;
    readonly timeout: number;
  },
): ReturnType<typeof session.send<'Runtime.evaluate'>> {
  return session.send('Runtime.evaluate', { expression, returnByValue: true, ...how });
}

async function evaluated(
  page: WarmPage,
  frame: FrameAddress,
  { source, input, gesture = false, later = false, limit = SCRIPT_LIMIT }: Omit<ScriptRun<unknown>, 'parse'>,
  signal: AbortSignal,
): Promise<Evaluated> {
  const { session } = frame;
  const argument = JSON.stringify(input) ?? '';
  const how = { ...(gesture ? { userGesture: true } : {}), ...(later ? { awaitPromise: true } : {}) };
  const run = (expression: string, contextId: number): Promise<Evaluated> => {
    // computed anew each time: on a busy machine the second try has longer than the first
    const timeout = page.browser.given.realTime(limit);
    const call = evaluate(session, expression, { contextId, timeout, ...how });
    return page.whileWorking(call, 'a page script', signal, milliseconds(limit + ANSWER_MARGIN));
  };
  const within = async (contextId: number): Promise<Evaluated> => {
    const resident = residentCall(source, argument);
    const answer = resident === null ? null : await run(resident, contextId);
    // a document that is older than our scripts has no resident ones
    return answer === null || answer.result.type === 'undefined' ? run(`(${source})(${argument})`, contextId) : answer;
  };
  // our world in the page lasts as long as its document: half the calls of a page that is scrolled
  const known = frame.frameId === page.frameId ? page.world : null;
  if (known !== null) {
    try {
      return await within(known);
    } catch (error) {
      signal.throwIfAborted();
      // one that acts on the page is not run twice
      if (error instanceof DeadlineExceeded || (gesture && wasEnded(error))) throw error;
      page.world = null; // it has gone with its document
    }
  }
  return within(await worldOf(page, frame, signal));
}

/** The execution context of our world in a frame; made where there is none yet. */
export async function worldOf(page: WarmPage, frame: FrameAddress, signal: AbortSignal): Promise<number> {
  const contextId = await createWorld(page, frame, WORLD_NAME, signal);
  if (frame.frameId === page.frameId) page.world = contextId;
  return contextId;
}

/** The execution context of a world of that name in a frame; made where there is none yet. */
export async function createWorld(
  page: WarmPage,
  { session, frameId }: FrameAddress,
  name: string,
  signal: AbortSignal,
): Promise<number> {
  const made = session.send('Page.createIsolatedWorld', { frameId, worldName: name });
  const { executionContextId } = await page.within(made, `the isolated world ${name}`, signal, ANSWER_LIMIT);
  return executionContextId;
}

const text = (limit: number): z.ZodType<string> => z.string().transform((value) => cutText(value, limit));
const count = z.number().nonnegative().catch(0);
const texts = (items: number, limit: number): z.ZodType<string[]> =>
  z.array(text(limit)).transform((values) => values.slice(0, items));

const activityCountersShape = z.object({ frames: count, idles: count, animations: count });

const factsShape = z.object({
  url: text(URL_LENGTH),
  title: text(FACT_LENGTH),
  description: text(FACT_LENGTH).nullable(),
  canonical: text(URL_LENGTH).nullable(),
  lang: text(100).nullable(),
  h1: texts(50, FACT_LENGTH),
  robots: texts(50, FACT_LENGTH),
  bytes: count,
  pageClock: count,
  cookies: count,
  contentType: text(100),
  parsing: z.boolean(),
  scripted: z.boolean(),
  shows: z.boolean(),
  activity: activityCountersShape,
});

const collectionShape = z.object({
  facts: factsShape,
  base: text(URL_LENGTH),
  links: z.object({ kept: z.array(z.unknown()), total: count }),
  tags: count,
  scrolls: z.boolean(),
  navigations: z.object({
    kept: z
      .array(z.object({ how: z.enum(NAVIGATION_WAYS), url: text(URL_LENGTH), nowhere: z.literal(true).optional() }))
      .transform((kept) => kept.slice(0, NAVIGATION_LIMIT)),
    total: count,
  }),
  html: text(HTML_LIMIT).nullable(),
  text: text(TEXT_LIMIT).nullable(),
});

/** Checks by hand, as a page has thousands of links. */
function isRawLink(value: unknown): value is RawLink {
  if (typeof value !== 'object' || value === null) return false;
  const {
    href,
    base,
    resolved,
    kind,
    confidence,
    context,
    text: words,
    rel,
    nowhere,
  }: Partial<Record<keyof RawLink, unknown>> = value;
  return (
    isShort(href, URL_LENGTH) &&
    (base === undefined || isShort(base, URL_LENGTH)) &&
    (resolved === undefined || isShort(resolved, URL_LENGTH)) &&
    isRawLinkKind(kind) &&
    (confidence === undefined || confidence === 'low') &&
    isShort(context, 100) &&
    isShort(words, 200) &&
    isShort(rel, 200) &&
    (nowhere === undefined || nowhere === true)
  );
}

function isShort(value: unknown, limit: number): boolean {
  return typeof value === 'string' && value.length <= limit;
}

/** @param answer of the script `collect` */
export function parseCollection(answer: unknown): FrameCollection | null {
  const { data } = collectionShape.safeParse(answer);
  if (data === undefined) return null;
  const kept = data.links.kept.slice(0, LINK_LIMIT).filter(isRawLink);
  return { ...data, links: { kept, total: Math.max(kept.length, Math.floor(data.links.total)) } };
}

const resolvedShape = z.array(text(URL_LENGTH).nullable());

/** @param answer of the script `resolve` */
export function parseResolved(answer: unknown): readonly (string | null)[] | null {
  return resolvedShape.safeParse(answer).data ?? null;
}

const activitySampleShape = activityCountersShape.extend({
  idling: z.boolean(),
  nodes: count,
  links: count,
  letters: count,
});

/** @param answer of the script `activity sample` */
export function parseActivitySample(answer: unknown): ActivitySample | null {
  return activitySampleShape.safeParse(answer).data ?? null;
}
