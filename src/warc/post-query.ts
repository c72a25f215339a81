/**
 * The body of a request as a query, so that the index distinguishes requests for one URL. The form is that of warcio and pywb, which
 * build the same query from the request to replay.
 */

/** Longest query; longer ones are cut. */
const QUERY_LIMIT = 4096;

/** @param contentType of the request; empty where it has none */
export function postQuery(body: Uint8Array, contentType: string): string {
  return queryOf(body, contentType).slice(0, QUERY_LIMIT);
}

/** The address of a request in the index. */
export function withPostQuery(url: string, method: string, query: string): string {
  const start = url.indexOf('?') > 0 ? '&' : '?';
  return `${url}${start}__wb_method=${method}&${decoded(query)}`;
}

function queryOf(body: Uint8Array, contentType: string): string {
  switch (contentType.split(';', 1)[0] ?? '') {
    case 'application/x-www-form-urlencoded':
      return textOf(body);
    case 'application/json':
    case 'text/plain': // from scripts that avoid a preflight request
      return jsonQuery(textOf(body));
    case 'multipart/form-data':
      return formQuery(textOf(body), contentType);
    default:
      return bytesQuery(body);
  }
}

function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

function bytesQuery(body: Uint8Array): string {
  return `__wb_post_data=${Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')}`;
}

/** Every value of the document under its key in its object; empty for a text that is not JSON. */
function jsonQuery(text: string): string {
  const query = new Map<string, string>(); // URLSearchParams would search all names for each
  const again = new Map<string, number>();
  const nameFor = (key: string): string => {
    if (!query.has(key)) return key;
    const count = (again.get(key) ?? 1) + 1;
    again.set(key, count);
    return `${key}.${count}_`;
  };
  const walk = (value: unknown, key: string): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, key);
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) walk(each, name);
    else if (value === null) query.set(nameFor(key), 'null');
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      if (String(value) !== '') query.set(nameFor(key), String(value));
    }
  };
  try {
    walk(JSON.parse(text), '');
  } catch {
    return '';
  }
  return new URLSearchParams([...query]).toString();
}

function formQuery(text: string, contentType: string): string {
  const query = new Map<string, string>();
  const boundary = contentType.split('boundary=')[1];
  if (boundary === undefined) return '';
  for (const part of text.split(boundary)) {
    const [, name, value] = /name="([^"]+)"\r\n\r\n(.*)/im.exec(part.trim()) ?? [];
    if (name !== undefined && value !== undefined) query.set(name, value);
  }
  return new URLSearchParams([...query]).toString();
}

function decoded(query: string): string {
  try {
    return decodeURI(query);
  } catch {
    return ''; // same as readers do for an invalid query
  }
}
