import type { EgressFailure } from './egress.ts';

/** The error of the dispatcher and the proxy's own agent: a refusal or a failure to connect, as a value inside. */
export class EgressError extends Error {
  /** Also keeps undici from taking the error for one of its own, which it would try again. */
  readonly code = 'ORBWEAVER_EGRESS';
  readonly failure: EgressFailure;

  constructor(failure: EgressFailure) {
    super(failure.detail);
    this.name = 'EgressError';
    this.failure = failure;
  }
}
