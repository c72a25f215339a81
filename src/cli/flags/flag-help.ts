/** Flags as people read them: in `--help` and in docs/cli.md. */
import type { Flag } from './flag.ts';
import { FLAGS } from './flags.ts';

/** The sentence of the help, with the default. */
export function flagSentence({ help, defaultWords }: Flag): string {
  return defaultWords === null ? help : `${help} (default: ${defaultWords})`;
}

/** The flags as rows of a Markdown table, group by group, as docs/cli.md shows them. */
export function flagRows(): readonly string[] {
  return FLAGS.map(
    (each) => `| ${each.group} | \`${each.usage}\` | ${cell(each.help)} | ${cell(each.defaultWords ?? '')} |`,
  );
}

/** The text of a Markdown cell, without ending it and without HTML. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
