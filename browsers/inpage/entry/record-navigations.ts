import { startRecording } from '../record-navigations.ts';
import { watchRemovals } from '../removed-links.ts';

export function run(): void {
  startRecording();
  watchRemovals();
}
