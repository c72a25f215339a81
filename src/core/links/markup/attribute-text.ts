/**
 * Decodes the value of an attribute as browsers do, by all character references of HTML: `/b&uuml;cher` is `/bücher`. Their table is
 * too large for page scripts, which have their values from the browser.
 */
import { Parser } from 'htmlparser2';
import { withCommonReferences } from './tag-reader.ts';

/** A reference that is not among the common ones; one without a semicolon counts only where no name or value could go on. */
const OTHER = /&(?!(?:amp|quot|apos|lt|gt|nbsp|#\d{1,7}|#x[\da-f]{1,6});)(?:#[\dx]|[a-z][a-z\d]*(?![a-z\d=]))/i;

/** @param written as it stands in the source, without its quotes */
export function decodedAttribute(written: string): string {
  if (!written.includes('&')) return written;
  if (!OTHER.test(written)) return withCommonReferences(written);
  let text = written;
  const parser = new Parser({ onattribute: (_name, value) => (text = value) });
  parser.end(`<a href="${written.replaceAll('"', '&quot;')}">`);
  return text;
}
