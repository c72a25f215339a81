import { startRecording } from '../record-navigations.ts';

export function run(): void {
  startRecording();
}
