/**
 * Mail addresses that Cloudflare hides from robots, by default on every site behind it: `/cdn-cgi/l/email-protection#…` in place of
 * `mailto:…`. That address is no page (it answers 404), and a script puts the mail address back before a reader sees it.
 */

const PATH = '/cdn-cgi/l/email-protection';
const HIDDEN = /^(?:https?:\/\/[^/?#]{1,253})?\/cdn-cgi\/l\/email-protection(?:[?#](.*))?$/is;
/** Two digits of the key, and two for each octet of the address. Longer than any address with subject and text. */
const CODE = /^(?:[\da-f]{2}){2,2000}$/i;

/** Does it stand for a mail address? */
export function hidesMail(text: string): boolean {
  // nearly all references are others
  return text.includes(PATH) && HIDDEN.test(text.trim());
}

/**
 * The target of an anchor as readers have it: `mailto:` and the address. Null where there is no anchor then: its words are the address,
 * which stands in another attribute.
 */
export function withShownMail(href: string): string | null {
  if (!hidesMail(href)) return href;
  const code = HIDDEN.exec(href.trim())?.[1] ?? '';
  if (!CODE.test(code)) return null;
  const [key = 0, ...octets] = (code.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16));
  const address = new TextDecoder().decode(Uint8Array.from(octets, (octet) => octet ^ key));
  return address.includes('@') ? `mailto:${address}` : null;
}
