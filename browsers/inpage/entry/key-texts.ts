import { keyTexts } from '../key-texts.ts';

export function run(): string {
  return JSON.stringify(keyTexts());
}
