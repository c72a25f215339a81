/** Bytes sent to a terminal besides text: only the program's own sequences are allowed. */

/** Colours and weights, erasing a line, and wrapping of long lines. */
// oxlint-disable-next-line no-control-regex -- it looks for them
const OWN = /\u001b\[(?:[0-9;]*m|\?7[lh]|\?25[lh]|2K|K)/g;
/** C0 except line ends, DEL, C1, direction marks (CWE-150; Unicode TR 36). */
// oxlint-disable-next-line no-control-regex -- it looks for them
const RAW = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text without the program's own sequences. */
export function withoutOwn(text: string): string {
  return text.replaceAll(OWN, '');
}

/** Characters that control a terminal or mislead a log's reader, each once as a code point; empty if there are none. */
export function rawControls(text: string): readonly string[] {
  const found = withoutOwn(text).match(RAW) ?? [];
  return [...new Set(found)].map((each) => `U+${(each.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}
