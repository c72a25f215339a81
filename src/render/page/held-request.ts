import type { EventOf } from '../../../browsers/protocol/session.ts';

/** A request that a script of the page, or a form in a frame, wants to send. */
export interface HeldRequest {
  readonly method: string;
  readonly url: string;
  /** Null where it has none, or where the browser does not report it. */
  readonly body: string | null;
  readonly resourceType: EventOf<'Fetch.requestPaused'>['resourceType'];
}

/** Classes of requests that can change something. */
export const SCRIPTED = ['XHR', 'Fetch', 'Ping', 'Other'] as const;
