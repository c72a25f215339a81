import { consentHidden } from '../consent-hidden.ts';

export function run(): string {
  return JSON.stringify(consentHidden());
}
