/** The directives for robots in a meta element, for page scripts and for unrendered HTML alike. */

/** Words of the robots meta element; some have a value behind a colon. */
const DIRECTIVE =
  /^(?:all|none|(?:no)?index|(?:no)?follow|(?:no)?archive|nocache|(?:no)?snippet|(?:no)?odp|noydir|notranslate|(?:no)?imageindex|indexifembedded|noai|noimageai|max-(?:snippet|image-preview|video-preview)\s*:.*|unavailable_after\s*:.*)$/;

/**
 * `<meta name="robots" content="noindex, nofollow">` gives its directives, `<meta name="otherbot" content="nofollow">` each behind
 * the name: `otherbot: nofollow`. Any other meta element gives nothing: a name that is not a product token names no robot, and a content
 * without directives is not meant for robots.
 */
export function metaDirectives(name: string, content: string): string[] {
  const agent = name.trim().toLowerCase();
  const isForAll = agent === 'robots';
  if (!isForAll && !/^[a-z_-]{1,50}$/.test(agent)) return [];
  const directives = content
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '');
  if (isForAll) return directives;
  if (directives.length === 0 || !directives.every((directive) => DIRECTIVE.test(directive))) return [];
  return directives.map((directive) => `${agent}: ${directive}`);
}
