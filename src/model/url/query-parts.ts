/**
 * The parts of a query. `&` parts them, and so does `;` where a part behind one has a name and a value: `?p=x;a=log;js=1` of programs with
 * CGI.pm, as HTML 4.01 (appendix B.2.2) recommends. In `?q=a;b` it is an ordinary character.
 */

const NAMED_PART = /;[^&;=]+=/;

/** The parts as they are written, `name=value` or a name alone; empty ones, too. @param query without its `?` */
export function queryParts(query: string): readonly string[] {
  return query.split(semicolonsPart(query) ? /[&;]/ : '&');
}

/** Names and values of the parts, decoded. @param search a query with its `?`, or nothing */
export function decodedParts(search: string): URLSearchParams {
  return new URLSearchParams(queryParts(search.slice(1)).join('&'));
}

/** The query with other parts, and the signs between them as they are. @param change gives null for a part to leave out */
export function withParts(query: string, change: (part: string, index: number) => string | null): string {
  let [text, end] = ['', 0];
  let isFirst = true;
  for (const [index, part] of queryParts(query).entries()) {
    const sign = isFirst ? '' : query.charAt(end - 1);
    const changed = change(part, index);
    end += part.length + 1;
    if (changed === null) continue;
    text += sign + changed;
    isFirst = false;
  }
  return text;
}

/** Does `;` part this query, too? */
export function semicolonsPart(query: string): boolean {
  return NAMED_PART.test(query);
}
