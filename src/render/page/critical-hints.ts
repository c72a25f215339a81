import { valueOf, type AnswerHead } from '../../core/answers/judge-answer.ts';

interface Paused {
  readonly networkId?: string;
}

/**
 * Notices a browser that drops an answer with Critical-CH and asks once more, with the hints about itself that the server misses (Client
 * Hints Reliability, section 3). That is the same navigation, so no page can make it by itself.
 */
export class CriticalHints {
  #navigation: string | null = null;

  answered({ headers }: AnswerHead, { networkId }: Paused): void {
    this.#navigation = valueOf(headers, 'critical-ch') === null ? null : (networkId ?? null);
  }

  /** Is it the answered navigation again? True once at most. */
  asksAgain({ networkId }: Paused): boolean {
    if (this.#navigation === null || this.#navigation !== networkId) return false;
    this.#navigation = null;
    return true;
  }
}
