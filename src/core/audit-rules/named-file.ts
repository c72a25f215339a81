/** An ending of files: not of pages, whatever program makes them. */
const FILE = /\.(?!(?:html?|xhtml|php\d?|aspx?|jspx?|cgi|do)(?:[?#]|$))[a-z]\w{1,5}(?:[?#]|$)/i;

/** Does the address say by its ending that it is a file and no page? */
export function isNamedAsFile(address: string): boolean {
  return FILE.test(address.replace(/^https?:\/\/[^/]*/, ''));
}
