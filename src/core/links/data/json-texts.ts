/** The strings of JSON data, with the keys that lead to them. */

const NODES = 100_000;
const DEPTH = 100;

export interface JsonText {
  readonly text: string;
  /** The nearest key; '' at the top. */
  readonly key: string;
  /** The key of the record that `key` belongs to. */
  readonly above: string;
}

/** In the order of the data; bounded. */
export function* jsonTexts(root: unknown): Generator<JsonText> {
  const stack: { readonly value: unknown; readonly key: string; readonly above: string; readonly depth: number }[] = [
    { value: root, key: '', above: '', depth: 0 },
  ];
  let nodes = 0;
  for (let top = stack.pop(); top !== undefined && nodes < NODES; top = stack.pop(), nodes++) {
    const { value, key, above, depth } = top;
    if (typeof value === 'string') yield { text: value, key, above };
    if (typeof value !== 'object' || value === null || depth >= DEPTH) continue;
    // the members of a list stand under the list's key
    const members = Array.isArray(value)
      ? value.map((item: unknown) => ({ value: item, key, above, depth: depth + 1 }))
      : Object.entries(value).map(([name, item]: [string, unknown]) => ({
          value: item,
          key: name,
          above: key,
          depth: depth + 1,
        }));
    for (const member of members.reverse()) stack.push(member);
  }
}
