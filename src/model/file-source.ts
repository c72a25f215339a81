/** A document as processors and discoverers read it: a file as it was received, or a page as it was when it had settled. */
export interface FileSource {
  /** Where it was found; references in it are relative to this, unless it says otherwise. */
  readonly url: string;
  /** Media type alone, lower case, without parameters; empty where none was sent. */
  readonly contentType: string;
  /** As received, decompressed; may be cut at its end. */
  readonly bytes: Uint8Array;
  /** The same as text. */
  readonly text: string;
  /** Is there more of it than was read? */
  readonly truncated: boolean;
}
