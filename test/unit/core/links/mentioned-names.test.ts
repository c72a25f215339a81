import { describe, expect, it } from 'vitest';
import { traitsOf } from '../../../../src/core/html/traits.ts';
import { readHtml } from '../../../../src/core/html/tree.ts';
import { KnownSubresources } from '../../../../src/core/page-clusters/known-subresources.ts';
import { mentionedNames } from '../../../../src/core/links/scripts/mentioned-names.ts';
import { isMentionedBy } from '../../../../src/core/page-clusters/name-mention.ts';

function namesOf(html: string): readonly string[] {
  const { elements } = readHtml(html);
  return traitsOf(elements, 'https://a.example/').names;
}

describe('names that a script mentions', () => {
  it.each<[string, string, readonly string[]]>([
    ['classes of a selector', `q('.tabs > .tab-list2')`, ['.tabs', '.tab-list0']],
    ['elements of a selector', '$("pre code:hover, TABLE.docutils")', ['.docutils', '<pre', '<code', '<table']],
    [
      'a class with escapes',
      String.raw`$("div.highlight\\-html\\+django span.k")`,
      ['.highlight-html+django', '.k', '<div', '<span'],
    ],
    ['an id of a selector', `$("#toc")`, ['#toc']],
    ['words that stand alone', 'e.classList.contains(`side bar`)', ['<side', '<bar', '.side', '#side', '.bar', '#bar']],
    ['pieces of a template', '$(`.row-${n} > td`)', ['.row-', '<td']],
    ['no name outside of strings', 'const tabs = player.list // ".side"', []],
    ['nothing of a long string', `x = "${'.tabs '.repeat(100)}"`, []],
    [
      'an id that a script gives',
      'h("h2", {id: "a-case", class: "k"})',
      ['<h0', '.h0', '#h0', '<a-case', '.a-case', 'id#a-case', '<k', '.k', '#k'],
    ],
    ['no attributes', `q('a[href^="https:"]')`, ['<a']],
  ])('%s', (_case, script, expected) => {
    expect(mentionedNames(script)).toEqual(expected);
  });

  it('are twenty thousand at the most', () => {
    const words = Array.from(
      { length: 26 ** 2 * 40 },
      (_, index) =>
        `.w${String.fromCodePoint(97 + (index % 26), 97 + (Math.floor(index / 26) % 26))}${'x'.repeat(Math.floor(index / 676))}`,
    );
    expect(mentionedNames(words.map((word) => `'${word}'`).join())).toHaveLength(20_000);
  });
});

describe('names of a page', () => {
  it('are mentioned by a script that finds an element, not by one that only gives its id to a headline', () => {
    const [headline = '', part = ''] = namesOf('<h2 id=case>Case</h2><div id=case></div>').filter((each) =>
      each.includes('#'),
    );
    const by = (script: string) => {
      const mentioned = new Set(mentionedNames(script));
      return [headline, part].map((each) => isMentionedBy(mentioned, each));
    };
    expect(by('h("h2", {id: "case"})')).toEqual([false, true]);
    expect(by('h("h2", {id: "case"}); document.getElementById("case").append(list)')).toEqual([true, true]);
    expect(by('fill({"id": "case"})')).toEqual([true, true]);
    expect(by('$("#case")')).toEqual([true, true]);
    expect(by('fill("other")')).toEqual([false, false]);
  });

  it('are those of its classes, ids and elements, each once, with figures as 0', () => {
    expect(namesOf('<p class="a b7 a" id=intro1>x<p class=b8>y<span class=k>z</span>')).toEqual([
      '<p',
      '#intro0',
      '.a',
      '.b0',
      '<span',
      '.k',
    ]);
  });

  it('are a thousand at the most', () => {
    const names = (row: number): string =>
      Array.from({ length: 40 }, (_, column) => `c${'x'.repeat(row)}-${'y'.repeat(column)}`).join(' ');
    const html = Array.from({ length: 40 }, (_, row) => `<p class="${names(row)}">`);
    expect(namesOf(html.join(''))).toHaveLength(1000);
  });

  it('are known as mentioned once a script that mentions them was read', () => {
    const known = new KnownSubresources();
    known.learnMentionedNames(mentionedNames(`$('pre.code'); $('#toc')`));
    const names = ['<pre', '.code', '#toc', '<table', '.toc', '#code'];
    expect(names.filter((name) => known.isMentioned(name))).toEqual(['<pre', '.code', '#toc']);
  });
});
