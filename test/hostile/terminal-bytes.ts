/** What a terminal was sent beside text: only the program's own sequences are known. */

/** Colours and weights, the line that is written over, and whether long lines wrap. */
// oxlint-disable-next-line no-control-regex -- it looks for them
const OWN = /\u001b\[(?:[0-9;]*m|\?7[lh]|\?25[lh]|2K|K)/g;
/** C0 but for what ends a line, DEL, C1, marks of direction (CWE-150; Unicode TR 36). */
// oxlint-disable-next-line no-control-regex -- it looks for them
const RAW = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text without what paints it. */
export function withoutOwn(text: string): string {
  return text.replaceAll(OWN, '');
}

/** Characters that a terminal, or a reader of a log, could obey, as code points and each once; none where all is well. */
export function rawControls(text: string): readonly string[] {
  const found = withoutOwn(text).match(RAW) ?? [];
  return [...new Set(found)].map((each) => `U+${(each.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}
