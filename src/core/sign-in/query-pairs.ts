/** Names and values of a query. */

/** @param search a query with or without its `?`. Programs in Perl, and forums, part them by `;`, as HTML 4.01 (appendix B.2.2) recommends. */
export function queryPairs(search: string): URLSearchParams {
  return new URLSearchParams(search.replaceAll(';', '&'));
}
