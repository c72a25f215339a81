import { decodeDocument } from '../../core/html/encoding.ts';

/**
 * Decodes an answer that the browser hands over as octets, because some of them are not of its encoding. A document that is not in UTF-8 is
 * read by its own declaration, and without one not at all: by another encoding its addresses would not be those of the page.
 * @param isDocument is it the page's own document? @returns null where its encoding is not known
 */
export function undecodedText(octets: Uint8Array, isDocument: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    if (!isDocument) return new TextDecoder().decode(octets);
    const { text, certain } = decodeDocument(octets, '');
    return certain ? text : null;
  }
}
