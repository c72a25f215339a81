import { checkAccessibility } from '../check-accessibility.ts';
import type { AxeInput } from '../../../src/model/accessibility.ts';

export async function run(input: AxeInput): Promise<string> {
  return JSON.stringify(await checkAccessibility(input));
}
