import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pdfFacts, type PdfFacts } from '../../../../src/core/files/pdf-facts.ts';

function inflate(octets: string): string | null {
  try {
    return inflateSync(Buffer.from(octets, 'latin1')).toString('latin1');
  } catch {
    return null;
  }
}

const read = (octets: string, truncated = false): PdfFacts | null => pdfFacts(octets, truncated, inflate);

const PLAIN = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R /Lang (de-DE)>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R 4 0 R] /Count 2>> endobj
3 0 obj <</Type /Page /Annots [<</Subtype /Link /A <</S /URI /URI (https://a.test/one?\\(x\\))>>>>]>> endobj
4 0 obj <</Type /Page /Annots [6 0 R]>> endobj
5 0 obj <</Title (Ein \\(sch\\366ner\\) Titel) /Subject <FEFF00DC0062006500720020201C0078 201D>>> endobj
6 0 obj <</Subtype /Link /A <</S /URI /URI <68747470733a2f2f612e746573742f74776f>>>>> endobj
trailer <</Root 1 0 R /Info 5 0 R /Size 7>>
%%EOF`;

/** The same file as a modern program writes it: objects in a compressed stream, no trailer. */
function packed(objects: readonly (readonly [number, string])[], trailer: string): string {
  const texts = objects.map(([, text]) => text);
  const places = objects.map(
    ([number], index) => `${number} ${texts.slice(0, index).join(' ').length + Math.min(index, 1)}`,
  );
  const head = `${places.join(' ')} `;
  const data = deflateSync(Buffer.from(head + texts.join(' '), 'latin1')).toString('latin1');
  const stream = `<</Type /ObjStm /N ${objects.length} /First ${head.length} /Filter /FlateDecode /Length ${data.length}>>`;
  return `%PDF-1.5\n9 0 obj ${stream} stream\r\n${data}\r\nendstream endobj\n10 0 obj <</Type /XRef ${trailer} /Length 0>> stream\n\nendstream endobj`;
}

describe('what a PDF says of itself', () => {
  it('is its title, subject, language, number of pages and where its annotations lead', () => {
    expect(read(PLAIN)).toEqual({
      title: 'Ein (schöner) Titel',
      subject: 'Über “x”',
      lang: 'de-DE',
      pages: 2,
      encrypted: false,
      uris: ['https://a.test/one?(x)', 'https://a.test/two'],
    });
  });

  it.each([
    ['UTF-8', '(https://a.test/K\xc3\xb6ln)', 'https://a.test/Köln'],
    ['escaped octets of UTF-8', '(https://a.test/K\\303\\266ln)', 'https://a.test/Köln'],
    ['another encoding', '(https://a.test/K\xf6ln)', 'https://a.test/Köln'],
    ['UTF-16', '<feff0068007400740070003a002f002f0061002e00620063>', 'http://a.bc'],
  ])('has addresses in %s', (_what, uri, address) => {
    expect(read(`%PDF-1.4\n1 0 obj <</S /URI /URI ${uri}>> endobj\n%%EOF`)?.uris).toEqual([address]);
  });

  it('is read from objects in packed streams as well', () => {
    const file = packed(
      [
        [1, '<</Type /Catalog /Pages 2 0 R>>'],
        [2, '<</Type /Pages /Count 36>>'],
        [3, '<</Subtype /Link /A <</S /URI /URI (https://a.test/packed)>>>>'],
        [4, '<</Title 5 0 R>>'],
        [5, '(Said elsewhere)'],
      ],
      '/Root 1 0 R /Info 4 0 R',
    );
    expect(read(file)).toMatchObject({ title: 'Said elsewhere', pages: 36, uris: ['https://a.test/packed'] });
  });

  it('is what it said last where it was changed since', () => {
    const later = `${PLAIN}\n5 0 obj <</Title (New)>> endobj\n2 0 obj <</Type /Pages /Count 3>> endobj\ntrailer <</Root 1 0 R /Info 5 0 R>>`;
    expect(read(later)).toMatchObject({ title: 'New', subject: null, pages: 3 });
  });

  it('has no number of pages where the file was cut, but the one at its head', () => {
    const cut = PLAIN.slice(0, PLAIN.indexOf('5 0 obj'));
    expect(read(cut, true)).toMatchObject({ title: null, pages: null, uris: ['https://a.test/one?(x)'] });
    const linearized = cut.replace('1 0 obj', '8 0 obj <</Linearized 1 /L 9 /N 12>> endobj\n1 0 obj');
    expect(read(linearized, true)?.pages).toBe(12);
  });

  it('is not told from what is encrypted', () => {
    const secret = PLAIN.replace('/Size 7', '/Encrypt 8 0 R');
    expect(read(secret)).toMatchObject({ title: null, lang: null, pages: 2, encrypted: true, uris: [] });
  });

  it('is nothing where it is no PDF', () => {
    expect(read('<!doctype html><title>Not found</title>')).toBeNull();
    expect(read('')).toBeNull();
  });

  it.each([
    ['strings without end', (n: number) => `1 0 obj${'/URI ('.repeat(n)} endobj\n`],
    ['objects without end', (n: number) => '1 0 obj '.repeat(n)],
    ['streams without end', (n: number) => '1 0 obj stream '.repeat(n)],
    ['white space', (n: number) => `1${' '.repeat(9)}`.repeat(n)],
  ])('takes linear time over %s', (_what, hostile) => {
    const timeOf = (size: number): number => {
      const file = `%PDF-1.4\n${hostile(2000).repeat(size)}`;
      const began = process.cpuUsage().user;
      read(file);
      return process.cpuUsage().user - began;
    };
    timeOf(4);
    expect(timeOf(64)).toBeLessThan(Math.max(16 * 6 * timeOf(4), 1_500_000));
  });
});
