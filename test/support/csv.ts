/** Reads CSV strictly by RFC 4180: as a program would that knows only the RFC. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let [row, at]: [string[], number] = [[], 0];
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) throw new Error('a quoted cell does not end');
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[(at += 1)];
        else break;
      }
      at += 1;
    } else {
      const end = /[,"\r\n]|$/.exec(text.slice(at))?.index ?? 0;
      cell = text.slice(at, at + end);
      at += end;
    }
    row.push(cell);
    if (text.startsWith('\r\n', at)) {
      rows.push(row);
      [row, at] = [[], at + 2];
    } else if (text[at] === ',') at += 1; // a cell follows, even if it is empty
    else throw new Error(`a cell ends with ${JSON.stringify(text.slice(at, at + 5))}`);
  }
  if (row.length > 0) throw new Error('the last line does not end');
  return rows;
}

/** Lines keyed by the names of their columns. */
export function csvRecords(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = parseCsv(text);
  return rows.map((row) => {
    if (row.length !== names.length) throw new Error(`a line has ${row.length} cells and not ${names.length}`);
    return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']));
  });
}
