/** Finds the parts of an application that a script's routes load, for the scripts that may name some. */
import { PART_KEY } from '../../core/links/scripts/part-names.ts';
import { routeParts } from '../../core/links/scripts/route-parts.ts';
import type { RoutePart } from '../../model/route-part.ts';
import type { Task } from '../../offload/task.ts';

export const ROUTE_PARTS: Task<{ readonly text: string; readonly url: string }, readonly RoutePart[]> = {
  name: 'parts that a script loads',
  run: ({ text }) => routeParts(text),
};

/** May routes of the script load parts? Most scripts name none, and need no task. */
export function mayLoadParts(text: string): boolean {
  return text.includes(PART_KEY);
}
