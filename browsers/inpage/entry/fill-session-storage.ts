import type { SessionItems } from '../../../src/model/page-actions.ts';
import { fillSessionStorage } from '../fill-session-storage.ts';

export function run(items: SessionItems): void {
  fillSessionStorage(items);
}
