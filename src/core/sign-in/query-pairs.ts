/** Names and values of a query. */

/**
 * Parted by every `;`, too, as programs in Perl and forums do (HTML 4.01, appendix B.2.2). Where addresses are compared, only some part them
 * (model/url/query-parts.ts); here a link too many that is left alone does less harm than one that acts.
 * @param search a query with or without its `?`
 */
export function queryPairs(search: string): URLSearchParams {
  return new URLSearchParams(search.replaceAll(';', '&'));
}
