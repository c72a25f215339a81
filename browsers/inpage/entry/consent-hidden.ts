import type { HidingStyle } from '../../../src/model/consent.ts';
import { consentHidden } from '../consent/hidden.ts';

export function run(input: HidingStyle): string {
  return JSON.stringify(consentHidden(input));
}
