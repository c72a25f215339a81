const SHOWS = /^(?:img|source|picture|image|video|audio|embed|object)\b/;

/** Is a part of a page visible? @param context of its line in links.jsonl */
export function isShownPart(context: string): boolean {
  return SHOWS.test(context);
}
