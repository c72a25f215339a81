import { collectDetails } from '../collect-details.ts';

export function run(_input: null): string {
  return JSON.stringify(collectDetails());
}
