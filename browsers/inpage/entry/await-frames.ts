import { framesDrawn } from '../own-frames.ts';

export function run(count: number): Promise<boolean> {
  return framesDrawn(count);
}
