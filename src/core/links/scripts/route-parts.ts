/** Finds the parts of an application that the routes of a script load (part-names.ts). */
import type { RoutePart } from '../../../model/route-part.ts';
import { PART_KEY } from './part-names.ts';
import { readScript } from './script-texts.ts';

/** Parts of one script (arbitrary). */
const PARTS = 200;

/** The parts that the routes of a script load. */
export function routeParts(source: string): readonly RoutePart[] {
  const parts: RoutePart[] = [];
  if (!source.includes(PART_KEY)) return parts;
  readScript(source, {
    wants: () => false,
    text: () => {},
    part: (part) => void (parts.length < PARTS && parts.push(part)),
  });
  return parts;
}
