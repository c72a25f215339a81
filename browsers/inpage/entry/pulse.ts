import { pulseOf } from '../liveliness.ts';

export function run(): string {
  return JSON.stringify(pulseOf());
}
