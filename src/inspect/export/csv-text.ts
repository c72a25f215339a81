/** Lines of CSV by RFC 4180, for programs and for spreadsheets, which take some cells for formulas. */

/** Beginnings of cells that spreadsheets run, with the full-width forms (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const QUOTED = /[",\r\n]|^\s|\s$/;

/** @param cells text, numbers, booleans; null is an empty cell, anything else stands as JSON; ends with CR LF */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return Array.isArray(value) && value.length === 0 ? '' : quoted(JSON.stringify(value));
  return quoted(FORMULA.test(value) ? `'${value}` : value);
}

function quoted(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
