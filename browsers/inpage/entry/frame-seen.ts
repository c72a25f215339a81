import { hasSeenFrame } from '../own-frames.ts';

export function run(): boolean {
  return hasSeenFrame();
}
