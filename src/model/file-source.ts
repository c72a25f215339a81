/** Input of processors and discoverers: a file as received, or a page as it was when it had settled. */
export interface FileSource {
  /** Its URL; references in it are relative to this unless it declares another base. */
  readonly url: string;
  /** Media type alone, lower case, without parameters; empty where none was sent. */
  readonly contentType: string;
  /** As received, decompressed; may be cut at its end. */
  readonly bytes: Uint8Array;
  /** The same as text. */
  readonly text: string;
  /** Was only a part of it read? */
  readonly truncated: boolean;
}
