/** A connection that was opened, or why it was not. */
import type { Socket } from 'node:net';
import type { EgressFailure } from '../egress.ts';

export type Connection = { readonly kind: 'connected'; readonly socket: Socket } | EgressFailure;
