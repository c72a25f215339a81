import { finishAnimations } from '../finish-animations.ts';

export function run(): number {
  return finishAnimations();
}
