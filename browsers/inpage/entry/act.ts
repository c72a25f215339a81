import type { ActInput } from '../../../src/model/page-actions.ts';
import { act } from '../act.ts';

export function run(input: ActInput): string {
  return JSON.stringify(act(input));
}
