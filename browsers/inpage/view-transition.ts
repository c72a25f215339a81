/**
 * View transitions. A page that changes by one does so in a callback, which the browser calls once it has a picture of the old view. Where frames
 * come on demand there is no such picture: the callback would never be called.
 */
const running = Object.getOwnPropertyDescriptor(Document.prototype, 'activeViewTransition')?.get;

/** Ends the transition that the document is in; its callback is called soon after. @returns whether there was one */
export function skipTransition(): boolean {
  const transition: unknown = running === undefined ? null : Reflect.apply(running, document, []);
  if (!(transition instanceof ViewTransition)) return false;
  transition.skipTransition();
  return true;
}
