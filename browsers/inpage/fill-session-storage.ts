/** Gives a tab the session storage that a sign-in has left. Runs before any script of the page. */
import type { SessionItems } from '../../src/model/page-actions.ts';

/**
 * Fills the session storage of the document's origin, unless the tab has something there: then the site goes on with its own.
 * @param items by origin
 */
export function fillSessionStorage(items: SessionItems): void {
  try {
    if (sessionStorage.length > 0) return;
    for (const [name, value] of items[location.origin] ?? []) sessionStorage.setItem(name, value);
  } catch {
    // the document has no storage, or too little
  }
}
