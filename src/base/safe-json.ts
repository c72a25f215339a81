/** Control characters that JSON leaves as they are (DEL, C1), line separators, directions, zero width and tags; starts of runner-commands.ts. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\p{Cf}]|#(?=#(?:vso|teamcity)?\[)/gu;

/**
 * JSON without characters that a terminal or a runner of CI would obey, or that would show a text as another one: the same value when it is read.
 * @param indent blanks for each level; 0 for one line
 */
export function safeJson(value: unknown, indent = 0): string {
  return escapedControls(JSON.stringify(value, undefined, indent) ?? 'null');
}

/** JSON text, or a string in it, with such characters as `\uXXXX`. */
export function escapedControls(json: string): string {
  return json.replace(UNSAFE, (character) =>
    character.length === 1 ? escapedUnit(character, 0) : escapedUnit(character, 0) + escapedUnit(character, 1),
  );
}

function escapedUnit(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
}

/** The value of a JSON text; undefined where it is none, a value that no JSON text has. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
