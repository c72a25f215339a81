/**
 * Hands a page its answers in the order of its requests (`--deterministic`): the order on the network is chance, and pages show it.
 * An answer is held until those of earlier requests have ended; not for long, as some never end. Streams are left alone.
 */
import type { DevToolsSession, EventOf } from '../../../browsers/protocol/session.ts';
import { ORDER_LIMIT } from '../limits/reading-limits.ts';

type Paused = EventOf<'Fetch.requestPaused'>;
type ResourceType = Paused['resourceType'];

/** Types of requests that end at any time, or never. */
const UNORDERED: ReadonlySet<ResourceType | undefined> = new Set([
  'EventSource',
  'WebSocket',
  'Media',
  'Ping',
  'Preflight',
  'CSPViolationReport',
] as const);

/** Has the request an answer, or has it failed? Else it is on its way. */
export function isAnswer({ responseStatusCode, responseErrorReason }: Paused): boolean {
  return responseStatusCode !== undefined || responseErrorReason !== undefined;
}

export class AnswerOrder {
  /** Requests that must be paused for this. */
  readonly patterns = [{ urlPattern: '*', requestStage: 'Response' }] as const;
  /** Requests that have not ended, in the order in which they were made. */
  readonly #open = new Set<string>();
  /** Answers that are held, by their request. */
  readonly #held = new Map<string, { readonly release: () => void; readonly timer: NodeJS.Timeout }>();
  readonly #frameId: string;

  constructor(session: DevToolsSession, frameId: string) {
    this.#frameId = frameId;
    session.on('Network.requestWillBeSent', ({ requestId, type, frameId: of, loaderId }) => {
      const isMain = type === 'Document' && of === this.#frameId && requestId === loaderId;
      if (!isMain && !UNORDERED.has(type)) this.#open.add(requestId);
    });
    session.on('Network.loadingFinished', ({ requestId }) => this.#ended(requestId));
    session.on('Network.loadingFailed', ({ requestId }) => this.#ended(requestId));
  }

  /** Forgets the page before. */
  clear(): void {
    for (const { timer, release } of this.#held.values()) {
      clearTimeout(timer);
      release();
    }
    this.#held.clear();
    this.#open.clear();
  }

  /**
   * Is it an answer that has to wait for others? Then it is released when these have ended.
   * @param release called once
   */
  holds({ networkId, responseStatusCode: status }: Paused, release: () => void): boolean {
    if (status === undefined || (status >= 300 && status < 400)) return false; // the request goes on under the same id
    if (networkId === undefined || !this.#open.has(networkId) || this.#first() === networkId) return false;
    const timer = setTimeout(() => this.#giveUpBefore(networkId), ORDER_LIMIT);
    this.#held.set(networkId, { release, timer });
    return true;
  }

  #first(): string | undefined {
    return this.#open.values().next().value;
  }

  #ended(requestId: string): void {
    this.#open.delete(requestId);
    const first = this.#first();
    if (first !== undefined) this.#release(first);
  }

  /** Stops waiting for answers before this one: a long poll would hold up all later answers, each anew. */
  #giveUpBefore(requestId: string): void {
    for (const earlier of this.#open) {
      if (earlier === requestId) break;
      this.#release(earlier);
      this.#open.delete(earlier);
    }
    this.#release(requestId);
  }

  #release(requestId: string): void {
    const held = this.#held.get(requestId);
    if (held === undefined) return;
    this.#held.delete(requestId);
    clearTimeout(held.timer);
    held.release();
  }
}
