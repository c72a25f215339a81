/** The system identifier of a document type, which names a file. */
import type { RawLink } from '../../../model/page-facts.ts';
import { rawLink } from '../raw-link.ts';
import { beginsAsReference } from '../texts/reference-text.ts';

/** Identifiers of HTML and XHTML: mere names that are never loaded. */
const STANDARD =
  /^https?:\/\/(?:[\w-]+\.)*(?:w3\.org|ietf\.org|netscape\.com|wapforum\.org|openmobilealliance\.org|oasis-open\.org)\//i;

/** @param systemId '' where the document type has none @returns null where it is a name of the standard's */
export function doctypeLink(systemId: string): RawLink | null {
  const href = systemId.trim();
  if (!beginsAsReference(href) || STANDARD.test(href)) return null;
  return rawLink(href, 'resource', 'doctype');
}

/** System identifier of a declaration as written: `!DOCTYPE html SYSTEM "/html.dtd"`; '' where it has none. */
export function systemIdOf(declaration: string): string {
  const text = declaration.slice(0, 4096);
  const external = /^!?doctype\s+[^\s>]+\s+(?:system|public\s*(?:"[^"]*"|'[^']*'))\s*(?:"([^"]*)"|'([^']*)')/i.exec(
    text,
  );
  return external?.[1] ?? external?.[2] ?? '';
}
