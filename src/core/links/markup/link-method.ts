/** Links that scripts send as a form: those of Rails (rails-ujs, Turbo), Yii, Phoenix and Unpoly say by which method. */

const NAMES = ['data-method', 'data-turbo-method', 'up-method'];
const SENDING: ReadonlySet<string> = new Set(['post', 'put', 'patch', 'delete']);

/** Does a script send the link by another method than GET? @param read reads an attribute of the link */
export function isSentByScript(read: (attribute: string) => string | null | undefined): boolean {
  return NAMES.some((name) => SENDING.has((read(name) ?? '').trim().toLowerCase()));
}
