import { hideConsent } from '../consent/hide.ts';

export function run(input: readonly (readonly string[])[]): string {
  return JSON.stringify(hideConsent(input));
}
