import { hideDialogFrame, isAllDialog } from '../consent/hide.ts';

/** @param input null where this runs in the frame; the frame's element where it runs in the page around it */
export function run(input: Element | null): string {
  return JSON.stringify(input === null ? isAllDialog() : hideDialogFrame(input));
}
