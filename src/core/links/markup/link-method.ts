/** Links that scripts send as a form: those of Rails (rails-ujs, Turbo), Yii, Phoenix, Unpoly and htmx say by which method. */

const NAMES = ['data-method', 'data-turbo-method', 'up-method'];
/** They hold the address to which htmx sends, in place of following the link. */
const ADDRESSES = ['post', 'put', 'patch', 'delete'].flatMap((method) => [`hx-${method}`, `data-hx-${method}`]);
const SENDING: ReadonlySet<string> = new Set(['post', 'put', 'patch', 'delete']);

/** Does a script send the link by another method than GET? @param read reads an attribute of the link */
export function isSentByScript(read: (attribute: string) => string | null | undefined): boolean {
  if (NAMES.some((name) => SENDING.has((read(name) ?? '').trim().toLowerCase()))) return true;
  // a link to another page than it is sent to may be followed, in a new tab or without scripts
  const href = read('href')?.trim() ?? '';
  return href !== '' && ADDRESSES.some((name) => read(name)?.trim() === href);
}
