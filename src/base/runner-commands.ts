/**
 * Commands that programs obey which run the jobs of CI, in whatever a step prints: `##[…]` (GitHub Actions, Azure Pipelines), `##vso[…]` and
 * `##teamcity[…]` anywhere in a line, `::name …::` (GitHub Actions) at its start. By them a page could set variables of later steps, or
 * switch annotations off.
 */
const ANYWHERE = /##(?=(?:vso|teamcity)?\[)/g;
const AT_START = /^(\s*):(?=:[\w-]+(?:::| .*::))/;

/** The text with a blank within each such command. @param text one line, without control characters, which could hide one */
export function withoutCommands(text: string): string {
  return text.replace(ANYWHERE, '# #').replace(AT_START, '$1: ');
}
