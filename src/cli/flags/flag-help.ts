/** Flags as people read them: in `--help` and in docs/cli.md. */
import type { Flag } from './flag.ts';
import { FLAGS } from './flags.ts';

/** The sentence of the help, with what holds where the flag is not given. */
export function flagSentence({ help, defaultWords }: Flag): string {
  return defaultWords === null ? help : `${help} (default: ${defaultWords})`;
}

/** The flags as rows of a Markdown table, group by group: what docs/cli.md shows. */
export function flagRows(): readonly string[] {
  return FLAGS.map(
    (each) => `| ${each.group} | \`${each.usage}\` | ${cell(each.help)} | ${cell(each.defaultWords ?? '')} |`,
  );
}

/** Text of a Markdown cell: no end of the cell in it, no HTML. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
