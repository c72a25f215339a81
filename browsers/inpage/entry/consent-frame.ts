import { hideDialogFrame, isAllDialog } from '../consent-hide.ts';

/** @param input null within the frame; its element in the page around it */
export function run(input: Element | null): string {
  return JSON.stringify(input === null ? isAllDialog() : hideDialogFrame(input));
}
