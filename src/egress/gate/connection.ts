/** An opened connection, or the failure to open one. */
import type { Socket } from 'node:net';
import type { EgressFailure } from '../egress.ts';

export type Connection = { readonly kind: 'connected'; readonly socket: Socket } | EgressFailure;
