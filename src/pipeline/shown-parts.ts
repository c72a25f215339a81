const SHOWS = /^(?:img|source|picture|image|video|audio|embed|object)\b/;

/** Whether a part of a page is something that it shows. @param context of its line in links.jsonl */
export function isShownPart(context: string): boolean {
  return SHOWS.test(context);
}
