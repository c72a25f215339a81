/** Documents inside an address: `data:text/html,<a href=…>` (RFC 2397; Fetch Standard, "data: URLs"). */

/** A longer document is not written into an address. */
const LENGTH = 2_000_000;
const HEAD = /^\s*data:(text\/html|application\/xhtml\+xml|image\/svg\+xml)((?:;[^,;]{1,100}){0,10}),/i;

/** Null for an address that holds no markup. */
export function dataDocument(href: string): string | null {
  if (!/^\s*data:/i.test(href.slice(0, 100)) || href.length > LENGTH) return null;
  const head = HEAD.exec(href.slice(0, 2000));
  if (head === null) return null;
  const body = href.slice(head[0].length);
  return /;\s*base64\s*$/i.test(head[2] ?? '') ? fromBase64(body) : fromEscapes(body);
}

function fromEscapes(body: string): string {
  try {
    return decodeURIComponent(body);
  } catch {
    return body; // a percent sign that stands for itself
  }
}

function fromBase64(body: string): string | null {
  const escaped = fromEscapes(body).replaceAll(/[\s]/g, '');
  if (!/^[\w+/-]*={0,2}$/.test(escaped)) return null;
  try {
    const octets = Uint8Array.from(atob(escaped), (sign) => sign.charCodeAt(0));
    return new TextDecoder().decode(octets);
  } catch {
    return null;
  }
}
