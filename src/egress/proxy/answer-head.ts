/** Decides which heads of answers are passed on, and in which form: node refuses to write some heads that it reads. */

interface ReceivedHead {
  readonly statusCode?: number | undefined;
  readonly rawHeaders: readonly string[];
}

/** The reason why an answer is not passed on, in words; null where it is passed on. */
export function whyUnfit({ statusCode = 0, rawHeaders }: ReceivedHead): string | null {
  const names = new Set(rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase()));
  // the length of a body whose chunks are joined is another one: it would end within the next answer
  if (names.has('content-length') && names.has('transfer-encoding')) return 'both a length and a transfer coding';
  if (rawHeaders.some((text) => text.includes('\0'))) return 'a NUL in a header field';
  if (statusCode < 200 || statusCode > 999) return `an answer cannot end with status ${statusCode}`;
  // a browser would take the status for the proxy's, and forget its credential as refused
  if (statusCode === 407) return 'status 407: a server asks for the credentials of a proxy';
  return null;
}

/** Text of a status line or a field as RFC 9110 section 5.5 allows it: each other character becomes a space. */
export function fieldText(text: string): string {
  return UNFIT.test(text) ? text.replaceAll(ALL_UNFIT, ' ') : text;
}

const UNFIT = /[^\t\x20-\x7e\x80-\xff]/;
const ALL_UNFIT = /[^\t\x20-\x7e\x80-\xff]/g;
