/** One-pass scanners, compared with the patterns that they replace: on short texts those are harmless. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownTitle } from '../../../src/core/files/markdown-title.ts';
import { linkTail } from '../../../src/core/fingerprint/link-signature.ts';
import { blockJsonLinks } from '../../../src/core/links/data/block-json.ts';
import { cssReferences } from '../../../src/core/links/markup/css-text.ts';
import { imageSetStrings } from '../../../src/core/links/markup/image-set.ts';
import { srcsetUrls } from '../../../src/core/links/markup/srcset.ts';
import { markdownLinks } from '../../../src/core/links/texts/text-urls.ts';
import { withoutClosing } from '../../../src/core/links/texts/url-end.ts';
import { isWholeDocument } from '../../../src/core/links/markup/whole-document.ts';

/** Texts made of the elements of a syntax. */
const textsOf = (pieces: readonly string[], maxLength = 14): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(''));

const RUNS = { numRuns: 2000 } as const;

const CSS =
  /\/\*|@import(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)')|(@import(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/)+)?\b(?:url|src)\(\s*(?:"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|((?:[^\s"'()\\]|\\[\da-f]{1,6}\s?|\\[\s\S])*))\s*\)|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/gi;

function cssByPattern(text: string): readonly string[] {
  const found: string[] = [];
  const pattern = new RegExp(CSS);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '/*') {
      const end = text.indexOf('*/', pattern.lastIndex);
      if (end === -1) break;
      pattern.lastIndex = end + 2;
      continue;
    }
    const written = match[1] ?? match[2] ?? match[4] ?? match[5] ?? match[6] ?? '';
    const href = written
      .replaceAll(/\\(?:([\da-f]{1,6})\s?|\r?\n|([\s\S]))/gi, (_all, point?: string, other?: string) =>
        point === undefined ? (other ?? '') : String.fromCodePoint(Number.parseInt(point, 16)),
      )
      .trim();
    if (href === '' || href.startsWith('#')) continue;
    found.push(`${match[0].startsWith('@') ? '@import' : 'url()'} ${href}`);
  }
  return [...new Set(found)];
}

function closedByPattern(written: string): string {
  const closing = /[.,!]+$/;
  const count = (text: string, sign: string): number => text.split(sign).length - 1;
  let url = written.replace(closing, '');
  for (let again = true; again;) {
    again = false;
    for (const [open, close] of ['()', '[]'].map((pair) => [...pair])) {
      if (open === undefined || close === undefined) continue;
      if (!url.endsWith(close) || count(url, close) <= count(url, open)) continue;
      url = url.slice(0, -1).replace(closing, '');
      again = true;
    }
  }
  return url;
}

describe('one pass over a text finds what the pattern found', () => {
  it('of a style sheet', () => {
    const pieces = [
      'url(',
      'src(',
      '@import ',
      '@import',
      '"',
      "'",
      ')',
      '(',
      '/*',
      '*/',
      ' ',
      '\n',
      'a',
      'b.png',
      ';',
      'x url(',
    ];
    fc.assert(
      fc.property(textsOf(pieces), (text) => {
        const found = cssReferences(text, '').map(({ href, context }) => `${context} ${href}`);
        expect(found).toEqual(cssByPattern(text));
      }),
      RUNS,
    );
  });

  it('of a style sheet with escapes', () => {
    const pieces = ['url(', '@import ', '"', "'", ')', ' ', '\\', '\\"', '\\61 ', '\\g', 'a', '\n', '\\000061'];
    fc.assert(
      fc.property(textsOf(pieces), (text) => {
        const found = cssReferences(text, '').map(({ href, context }) => `${context} ${href}`);
        expect(found).toEqual(cssByPattern(text));
      }),
      RUNS,
    );
  });

  it('of sets of pictures that are whole', () => {
    const picture = fc.constantFrom(
      '"a.png" 1x',
      "'b.png' 2x",
      'url("c.png") 1x',
      '"d.png" type("image/png")',
      '("e.png")',
      'f',
    );
    const set = fc.array(picture, { maxLength: 4 }).map((pictures) => `image-set(${pictures.join(', ')})`);
    const sheet = fc
      .array(fc.oneof(set, fc.constantFrom('a{b:', '}', '"', ' ')), { maxLength: 4 })
      .map((parts) => parts.join(';'));
    const pattern = /image-set\(((?:[^()"']|"[^"\n]*"|'[^'\n]*'|\([^()]*\)){1,8192})\)/gi;
    fc.assert(
      fc.property(sheet, (text) => {
        const expected = [...text.matchAll(pattern)].flatMap(([, inner = '']) =>
          [...inner.replaceAll(/[\w-]+\([^()]*\)/g, '').matchAll(/"([^"\n]+)"|'([^'\n]+)'/g)].map(
            ([, one, other]) => one ?? other,
          ),
        );
        expect(imageSetStrings(text)).toEqual(expected);
      }),
      RUNS,
    );
  });

  it('of Markdown', () => {
    const pattern = /(!?)\[[^\]\n]{0,500}\](?:\(\s*<?([^\s()<>]{1,2048})|:[ \t]*<?([^\s<>]{1,2048}))/g;
    fc.assert(
      fc.property(textsOf(['[', ']', '](', ']:', '!', '(', ')', '<', ' ', '\n', 'a', '/b', '#c']), (text) => {
        const expected = [...text.matchAll(pattern)]
          .filter(([, mark, one, other]) => mark !== '!' && !(one ?? other ?? '').startsWith('#'))
          .map(([, , one, other]) => one ?? other);
        expect(markdownLinks(text, '').map(({ href }) => href)).toEqual([...new Set(expected)]);
      }),
      RUNS,
    );
  });

  it('of the first heading of Markdown', () => {
    const pattern = /^ {0,3}#[ \t]+([^\n]{1,1000}?)[ \t#]*$|^[ \t]{0,3}(\S[^\n]{0,999})\r?\n=+[ \t]*$/m;
    const line = fc.constantFrom(
      '# a',
      '# a #',
      '  # b c ##',
      '#a',
      '## d',
      '    # e',
      'f',
      '===',
      '= =',
      '',
      '# g#h',
      '\t#',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const text = lines.join(end);
        const [, hash, under] = pattern.exec(text) ?? [];
        expect(markdownTitle(text)).toBe((hash ?? under ?? '').trim() || null);
      }),
      RUNS,
    );
  });

  it('of the end of an address in prose', () => {
    fc.assert(
      fc.property(textsOf(['(', ')', '[', ']', '.', ',', '!', 'a']), (text) => {
        expect(withoutClosing(text, new Set('.,!'), { ')': '(', ']': '[' })).toBe(closedByPattern(text));
      }),
      RUNS,
    );
  });

  it('of what hides data from old browsers', () => {
    const pattern = /(?:-->|\/\*\s*\]\]>\s*\*\/|(?:\/\/\s*)?\]\]>)\s*;?\s*$/;
    const end = textsOf(['-->', ']]>', '//', '/*', '*/', ';', ' ', '\n'], 6);
    fc.assert(
      fc.property(end, (text) => {
        const block = `["/a/b"]${text}`.trim();
        const isWhole = /^\["\/a\/b"\]\s*$/.test(block.replace(pattern, ''));
        expect(blockJsonLinks('application/json', block)?.length).toBe(isWhole ? 1 : 0);
      }),
      RUNS,
    );
  });

  it('of candidates of a picture and of the looks of a link', () => {
    fc.assert(
      fc.property(textsOf([',', ' ', 'a', 'b.png', '/', '?q', '(', ')']), (text) => {
        for (const url of srcsetUrls(text)) expect(url).toMatch(/^[^\s,](?:[^\s]*[^\s,])?$/);
        const query = text.search(/[?#]/);
        const path = (query === -1 ? text : text.slice(0, query)).replace(/\/+$/, '');
        const tail = query === -1 ? '' : text.slice(query);
        expect(linkTail(text)).toBe(path.slice(path.lastIndexOf('/') + 1) + tail);
      }),
      RUNS,
    );
  });

  it('of the beginning of a document', () => {
    const pattern = /^[\s\uFEFF]*(?:<!--(?:(?!-->)[^])*-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype\s|(?:html|head)[\s>])/i;
    const pieces = [
      '<!-- a -->',
      '<!--',
      '-->',
      '<?xml version="1">',
      '<?xml',
      '<!doctype html>',
      '<html>',
      '<head ',
      '\n',
      '\uFEFF',
      'a',
      '>',
    ];
    fc.assert(
      fc.property(textsOf(pieces, 8), (text) => {
        expect(isWholeDocument(text)).toBe(pattern.test(text));
      }),
      RUNS,
    );
  });
});
