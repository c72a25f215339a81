import type { PictureInput } from '../../../src/model/page-actions.ts';
import { pictureState } from '../pictures/picture-state.ts';

export function run(input: PictureInput): string {
  return JSON.stringify(pictureState(input));
}
