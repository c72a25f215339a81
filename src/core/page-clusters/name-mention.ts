/** Whether scripts mention a name of a page, and so may find elements by it. */

/**
 * Is a name of a page among those that scripts mention? A page compiled to a script makes its headlines, with the ids to which its table of
 * contents leads; so an id that is only the value of a property `id` says nothing of a headline (`h#`), as it does of other elements.
 */
export function isMentionedBy(mentioned: { has(name: string): boolean }, name: string): boolean {
  if (name.startsWith('h#')) return mentioned.has(name.slice(1));
  return mentioned.has(name) || (name.startsWith('#') && mentioned.has(`id${name}`));
}
