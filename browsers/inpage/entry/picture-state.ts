import type { PictureInput } from '../../../src/model/page-actions.ts';
import { pictureState } from '../picture-state.ts';

export function run(input: PictureInput): string {
  return JSON.stringify(pictureState(input));
}
