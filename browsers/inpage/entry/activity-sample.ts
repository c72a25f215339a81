import { activitySampleOf } from '../activity.ts';

export function run(): string {
  return JSON.stringify(activitySampleOf());
}
