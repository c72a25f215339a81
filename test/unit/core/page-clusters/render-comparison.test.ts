import { describe, expect, it } from 'vitest';
import {
  addedLinkOf,
  compareRendering,
  observedDifference,
} from '../../../../src/core/page-clusters/render-comparison.ts';
import type { FoundLink } from '../../../../src/model/link.ts';
import type { Page } from '../../../../src/model/page.ts';
import { anchorOf, pageOf } from '../../../support/page.ts';

const PAGE = 'https://a.test/docs/page.html';

function link(href: string, more: Partial<FoundLink> = {}): FoundLink {
  return anchorOf(href, PAGE, more);
}

function compare(rendered: Partial<Page>, plain: Partial<Page> = {}) {
  return compareRendering(pageOf(PAGE, rendered), pageOf(PAGE, { ...plain, rendered: false }), { namesUnread: false });
}

const SAME = { kind: 'alike', added: [], code: [], isClear: true, namesUnread: false };

describe('a page as a browser showed it, beside its markup', () => {
  it('is alike with the same links, however they are written', () => {
    const plain = [link('../a'), link('?q=é', { resolved: 'https://a.test/docs/page.html?q=%E9' })];
    const rendered = [link('https://a.test/docs/page.html?q=%E9'), link('https://a.test/a')];
    expect(compare({ foundLinks: rendered }, { foundLinks: plain })).toEqual(SAME);
  });

  it('has what only scripts brought, in words that mean the same on every page', () => {
    const brought = link('part.png', { kind: 'resource', context: 'img/@src' });
    expect(compare({ foundLinks: [link('/a'), brought] }, { foundLinks: [link('/a')] })).toEqual({
      ...SAME,
      added: [{ ...brought, href: 'https://a.test/docs/part.png' }],
    });
  });

  it('has a link to itself in words that mean the same on every page', () => {
    const comparison = compare({ foundLinks: [link('page.html#top')] });
    expect(comparison).toMatchObject({ added: [{ href: '#top', base: '' }] });
    const [own] = comparison.kind === 'alike' ? comparison.added : [];
    expect(own === undefined ? null : addedLinkOf(own, 'https://a.test/other')).toMatchObject({
      href: '#top',
      base: 'https://a.test/other',
    });
  });

  it('is told apart by how a link was found', () => {
    const asText = link('https://a.test/a', { kind: 'text', confidence: 'low', context: '#text' });
    const comparison = compare({ foundLinks: [asText, link('/a')] }, { foundLinks: [asText] });
    expect(comparison).toMatchObject({ kind: 'alike', added: [{ context: 'a/@href' }] });
  });

  it.each<[Partial<Page>, Partial<Page>, string]>([
    [{ finalUrl: 'https://a.test/other' }, {}, 'URL https://a.test/other'],
    [{ empty: true, text: '' }, { text: '' }, 'nothing shown'],
    [{ title: 'New' }, { title: 'Old' }, 'title New'],
    [{ canonical: 'https://a.test/c' }, {}, 'canonical https://a.test/c'],
    [{ robots: ['noindex'] }, {}, 'robots noindex'],
    [{ description: 'Of a script' }, {}, 'description Of a script'],
    [{ lang: 'de' }, { lang: 'en' }, 'lang de'],
    [{ h1: ['Boat'] }, { h1: [] }, 'h1 Boat'],
    [{}, { foundLinks: [link('/gone')] }, 'a link less: anchor a/@href /gone'],
    [{ text: 'word '.repeat(100) }, { text: 'word '.repeat(60) }, '40 words more'],
    [{ text: '店の名前\n港の舟は毎朝早く出て夕方に戻る。'.repeat(5) }, { text: '店の名前' }, '51 words more'],
  ])('differs where the browser has %j for %j', (rendered, plain, how) => {
    expect(compare(rendered, plain)).toEqual({ kind: 'differs', how });
  });

  it('may have a few words more, another fragment, and its own address in its history', () => {
    const visited = [link(PAGE, { kind: 'history', context: 'history.replaceState' })];
    const rendered = { finalUrl: `${PAGE}#top`, text: 'word '.repeat(20), foundLinks: visited };
    expect(compare(rendered, { text: '' })).toEqual(SAME);
  });

  it('does not count texts of script files, which are of the first page that loads them', () => {
    const literal = link('/a', { kind: 'text', confidence: 'low', context: 'literal' });
    expect(compare({ foundLinks: [literal] })).toEqual(SAME);
    expect(compare({}, { foundLinks: [literal] })).toEqual(SAME);
  });

  it('may have hints at what may be wanted next, which scripts put in or take away', () => {
    const hint = link('/next.js', { kind: 'link-element', context: 'link/@href', rel: ['prefetch'] });
    expect(compare({ foundLinks: [hint] })).toEqual(SAME);
    expect(compare({}, { foundLinks: [hint] })).toEqual(SAME);
    const sheet = { ...hint, rel: ['preload', 'stylesheet'] };
    expect(compare({ foundLinks: [sheet] })).toMatchObject({ added: [{ rel: ['preload', 'stylesheet'] }] });
  });

  const CHUNK = link('/chunk.js', { kind: 'request', context: 'import' });

  it('tells code that scripts load apart from what else they bring', () => {
    expect(compare({ foundLinks: [CHUNK] })).toMatchObject({ added: [], code: [{ context: 'import' }], isClear: true });
  });

  it('is not clear where the texts of such code name what the page does not', () => {
    const literal = link('/hidden', { kind: 'script', confidence: 'low', context: 'literal' });
    const page = link('/hidden/');
    expect(compare({ foundLinks: [CHUNK, literal] })).toMatchObject({ kind: 'alike', isClear: false });
    expect(compare({ foundLinks: [CHUNK, literal, page] }, { foundLinks: [page] })).toMatchObject({ isClear: true });
    const own = link(PAGE, { kind: 'script', confidence: 'low', context: 'literal' });
    expect(compare({ foundLinks: [CHUNK, own] })).toMatchObject({ isClear: true });
  });

  describe('of a server that adds final slashes', () => {
    const OWN = 'https://a.test/docs/intro/';
    const head = (slash: string, origin = 'https://a.test'): Partial<Page> => ({
      finalUrl: OWN,
      canonical: `${origin}/docs/intro${slash}`,
      foundLinks: [
        link(`${origin}/docs/intro${slash}`, { kind: 'link-element', context: 'link/@href', rel: ['canonical'] }),
        link(`${origin}/fr/docs/intro${slash}`, { kind: 'link-element', context: 'link/@href', rel: ['alternate'] }),
        link(`${origin}/docs/intro${slash}`, { kind: 'attribute', context: 'meta[og:url]/@content' }),
        link('/blog/rss.xml', { kind: 'link-element', context: 'link/@href', rel: ['alternate'] }),
        link('/docs/next/intro'),
      ],
    });

    it.each(['https://a.test', 'https://published.test'])(
      'is alike, and respelled, where scripts write them into the head, at %s',
      (origin) => {
        const seen = compare(head('/', origin), head('', origin));
        expect(seen).toEqual({ ...SAME, isRespelled: true });
        expect(observedDifference(seen)).toEqual({ kind: 'differs', how: 'final slashes in its head' });
        expect(compare(head('', origin), head('', origin))).toEqual(SAME);
        expect(compare(head('/', origin), head('/', origin))).toEqual(SAME);
      },
    );

    it('differs where they write slashes into a part of the head, or into more', () => {
      const { foundLinks = [] } = head('');
      expect(compare({ ...head('/'), foundLinks }, head(''))).toMatchObject({ kind: 'differs' });
      const anchors = {
        ...head('/'),
        foundLinks: [...(head('/').foundLinks ?? []).slice(0, -1), link('/docs/next/intro/')],
      };
      expect(compare(anchors, head(''))).toMatchObject({ how: 'a link less: anchor a/@href /docs/next/intro' });
    });

    it('differs where the canonical address is not of the page itself', () => {
      const other = (slash: string): Partial<Page> => ({ ...head(slash), finalUrl: 'https://a.test/print/intro/' });
      expect(compare(other('/'), other(''))).toMatchObject({ how: 'canonical https://a.test/docs/intro/' });
    });
  });
});
