import type { ScrollInput } from '../../../src/model/page-actions.ts';
import { scroll } from '../scroll.ts';

export function run(input: ScrollInput): string {
  return JSON.stringify(scroll(input));
}
