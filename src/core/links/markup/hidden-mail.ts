/**
 * Mail addresses that Cloudflare hides from robots, by default on every site behind it: `/cdn-cgi/l/email-protection#…` in place of
 * `mailto:…`. That address is no page (it answers 404), and a script puts the mail address back before a reader sees it.
 */

const PATH = '/cdn-cgi/l/email-protection';
const HIDDEN = /^(?:https?:\/\/[^/?#]*)?\/cdn-cgi\/l\/email-protection(?:#(.*))?$/s;
/** Two digits of the key, and two for each octet of the address. Longer than any address with subject and text. */
const CODE = /^(?:[\da-f]{2}){2,2000}$/i;

/**
 * The target of an anchor as readers have it: `mailto:` and the address. Null where there is no anchor then: its words are the address,
 * which stands in another attribute.
 */
export function withShownMail(href: string): string | null {
  // nearly all anchors are others
  const hidden = href.includes(PATH) ? HIDDEN.exec(href.trim()) : null;
  if (hidden === null) return href;
  const code = hidden[1] ?? '';
  if (!CODE.test(code)) return null;
  const [key = 0, ...octets] = (code.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16));
  return `mailto:${new TextDecoder().decode(Uint8Array.from(octets, (octet) => octet ^ key))}`;
}
