import { elementBoxes } from '../pictures/element-boxes.ts';

export function run(): string {
  return JSON.stringify(elementBoxes());
}
