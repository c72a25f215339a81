import type { ResolveInput } from '../../../src/model/page-facts.ts';
import { resolver } from '../resolve-links.ts';

/** Resolves references that no page script can reach. */
export function run({ hrefs }: ResolveInput): string {
  const resolve = resolver();
  return JSON.stringify(hrefs.map((href) => resolve(href)));
}
