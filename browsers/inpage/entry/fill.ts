import type { FillInput } from '../../../src/model/page-actions.ts';
import { fill } from '../fill.ts';

export function run(input: FillInput): string {
  return JSON.stringify(fill(input));
}
