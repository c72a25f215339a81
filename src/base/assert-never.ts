/** Closes an exhaustive switch: a new member of a union is then a compile error where it is not handled. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}
