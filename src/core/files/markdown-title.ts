/** The first heading of a Markdown text, or null: `# Title`, or a line over `====`. */
export function markdownTitle(text: string): string | null {
  const head = text.slice(0, HEAD).replace(/^\uFEFF/, '');
  const [, hash, under] =
    /^ {0,3}#[ \t]+([^\n]{1,1000}?)[ \t#]*$|^[ \t]{0,3}(\S[^\n]{0,999})\r?\n=+[ \t]*$/m.exec(head) ?? [];
  const title = (hash ?? under ?? '').trim();
  return title === '' ? null : title;
}

/** A heading further down is none of the whole text. */
const HEAD = 20_000;
