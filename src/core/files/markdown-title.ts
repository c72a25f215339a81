/** The first heading of a Markdown text, or null: `# Title`, or a line over `====`. Each line is looked at once. */
export function markdownTitle(text: string): string | null {
  const lines = text
    .slice(0, HEAD)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n|\r/);
  for (const [index, line] of lines.entries()) {
    const title = afterHash(line) ?? (isUnderline(lines[index + 1] ?? '') ? underlined(line) : null);
    if (title !== null) return title === '' ? null : title;
  }
  return null;
}

/** A heading further down is not that of the whole text. */
const HEAD = 20_000;
const LENGTH = 1000;

/** `# Title ##` without its signs; empty where it has only signs. */
function afterHash(line: string): string | null {
  const [begin] = /^ {0,3}#[ \t]+/.exec(line) ?? [];
  if (begin === undefined) return null;
  let end = line.length;
  while (end > begin.length && ' \t#'.includes(line[end - 1] ?? '')) end -= 1;
  return end - begin.length > LENGTH ? null : line.slice(begin.length, end).trim();
}

function isUnderline(line: string): boolean {
  return /^=+[ \t]*$/.test(line);
}

function underlined(line: string): string | null {
  const title = line.replace(/^[ \t]{0,3}/, '');
  return title.length > LENGTH || !/^\S/.test(title) ? null : title.trim();
}
