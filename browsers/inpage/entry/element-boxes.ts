import { elementBoxes } from '../element-boxes.ts';

export function run(): string {
  return JSON.stringify(elementBoxes());
}
