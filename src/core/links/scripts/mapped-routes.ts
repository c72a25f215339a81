/**
 * Routes that calls declare, by their names, those within another in a function: `Router.map(function() { this.route('orders', function() {
 * this.route('new'); }); })` (Ember). A record gives a path that is not the name: `this.route('contact', { path: '/reach-us' })`.
 */
import type { Frame, Place } from '../texts/text-frame.ts';

/** Characters of a path (arbitrary). */
const PATH_LENGTH = 300;
/** A name or a path without parameters and patterns. */
const NAMES = /^\/?(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/;

/** The call that declares the route of which the text is the name or the path; null where it is none. Also notes the path in it. */
export function mappedRoute(value: string, { key, frame, argument }: Place): Frame | null {
  const call = frame?.kind === '{' && key === 'path' ? frame.above : frame;
  if (call?.kind !== '(' || call.callee !== 'this.route') return null;
  if (call === frame ? argument !== 0 || call.route !== '' : call.argument !== 1) return null;
  const around = routeAround(call);
  if (around === null) return null;
  const name = value.replace(/^\//, '');
  const path = name === '' ? around : `${around.replace(/\/$/, '')}/${name}`;
  // a route with a parameter declares no address, and none within it
  call.route = around !== PATTERN && NAMES.test(value) && path.length <= PATH_LENGTH ? path : PATTERN;
  return call;
}

/** The address that the call declares, when all of it was read; null where it has none, or that of the route around it. */
export function mappedPath({ route }: Frame): string | null {
  return route === PATTERN || route === '/' ? null : route;
}

const PATTERN = '*';

/** The path of the route in whose function the call stands, '/' for the map itself; null where it stands in neither. */
function routeAround({ above }: Frame): string | null {
  let call = above?.kind === '{' ? above.above : null;
  // a function in brackets of its own
  if (call?.kind === '(' && !call.isCall) call = call.above;
  if (call?.kind !== '(' || !call.isCall) return null;
  if (call.callee === 'this.route') return call.route === '' ? null : call.route;
  return /(?:^|\.)map$/.test(call.callee) ? '/' : null;
}
