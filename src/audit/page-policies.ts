/** Signs of safety in the markup of a page: forms that send without encryption, policies. */
import { cutText } from '../base/cut-text.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { isLoopbackName } from '../base/loopback-name.ts';
import type { HtmlElement } from '../core/html/tree.ts';
import type { InsecureForm } from '../model/audit-facts.ts';
import { placeOf } from './element-place.ts';

const FORMS = 200;
const ADDRESS = 500;

/** Forms that send to http, except to this machine itself, where no stranger listens. */
export function insecureForms(elements: readonly HtmlElement[], base: string): readonly InsecureForm[] {
  const withPassword = new Set<HtmlElement>();
  for (const element of elements) {
    if (element.name !== 'input' || element.attributes.get('type')?.trim().toLowerCase() !== 'password') continue;
    for (let above = element.parent; above !== null; above = above.parent)
      if (above.name === 'form') withPassword.add(above);
  }
  return elements
    .filter(({ name, namespace }) => name === 'form' && namespace === 'html')
    .slice(0, FORMS)
    .flatMap((form) => {
      const action = parsedUrl(form.attributes.get('action') ?? '', base);
      if (action?.protocol !== 'http:' || isLoopbackName(action.hostname)) return [];
      return [{ action: cutText(action.href, ADDRESS), asksPassword: withPassword.has(form), ...placeOf(form) }];
    });
}

/** Does a policy in a meta element have the browser send all requests of the page by https? */
export function upgradesRequests(metas: readonly HtmlElement[]): boolean {
  return metas.some(
    ({ attributes }) =>
      attributes.get('http-equiv')?.trim().toLowerCase() === 'content-security-policy' &&
      hasUpgrade(attributes.get('content') ?? ''),
  );
}

/** Does a Content-Security-Policy hold `upgrade-insecure-requests`? */
export function hasUpgrade(policy: string): boolean {
  return /(?:^|[;,\n])[ \t]*upgrade-insecure-requests[ \t\r]*(?:[;,\n]|$)/i.test(policy);
}

/** Names of the policies that stand in meta elements, in lower case. */
export function metaPolicies(metas: readonly HtmlElement[]): readonly string[] {
  return metas.flatMap(({ attributes }) => {
    if (attributes.get('name')?.trim().toLowerCase() === 'referrer') return ['referrer'];
    const word = attributes.get('http-equiv')?.trim().toLowerCase();
    return word === 'content-security-policy' ? [word] : [];
  });
}
