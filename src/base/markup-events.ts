import { Parser } from 'htmlparser2';

/** Receives tags and texts in the order of the text. */
interface MarkupReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(data: string): void;
  /** @param isImplied has the element no end tag, so that an end tag around it or the end of the text closes it? */
  close?(name: string, isImplied: boolean): void;
  instruction?(data: string): void;
  /** True once the reader needs no more: the rest is not read. */
  readonly full?: boolean;
}

interface MarkupMode {
  readonly xml: boolean;
  /** Names of tags and attributes in lower case; in HTML they always are. */
  readonly lowerCase: boolean;
}

/** Characters given to the parser at a time, so that reading can stop within a long text. */
const CHUNK = 16_384;
/**
 * Open elements at which reading stops; browsers nest no deeper either. The parser moves its list of open elements with each tag
 * that is opened, and searches it for each that is closed.
 */
const DEPTH_LIMIT = 512;

/** Ends reading from within the parser. */
class TooDeep extends Error {}

/** Reads markup leniently: real files are broken. Entities of a document type are never expanded. */
export function readMarkup(text: string, reader: MarkupReader, { xml, lowerCase }: MarkupMode): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > DEPTH_LIMIT) throw new TooDeep();
        reader.open?.(name, attributes);
      },
      ontext: (data) => reader.text?.(data),
      onclosetag: (name, isImplied) => {
        depth -= 1;
        reader.close?.(name, isImplied);
      },
      onprocessinginstruction: (_name, data) => reader.instruction?.(data),
    },
    {
      xmlMode: xml,
      decodeEntities: true,
      lowerCaseTags: lowerCase || !xml,
      lowerCaseAttributeNames: lowerCase || !xml,
    },
  );
  try {
    for (let start = 0; start < text.length && reader.full !== true; start += CHUNK)
      parser.write(text.slice(start, start + CHUNK));
    parser.end();
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
}
