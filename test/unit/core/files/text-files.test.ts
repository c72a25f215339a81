import { describe, expect, it } from 'vitest';
import { dataFacts } from '../../../../src/core/files/data-facts.ts';
import { markdownTitle } from '../../../../src/core/files/markdown-title.ts';
import { markupFacts } from '../../../../src/core/files/markup-facts.ts';

const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><image><title>Logo</title></image><title>News &amp; more</title>
<link>https://a.test/</link><description>All &lt;b&gt;news&lt;/b&gt;</description><language>en-gb</language>
<item><title>First</title><link>https://a.test/1</link><guid>1</guid><description><![CDATA[<p>Some<br>text</p>]]></description></item>
</channel></rss>`;

describe('an XML file', () => {
  it('that is a feed has a title, a description, a language, and the texts of its entries', () => {
    expect(markupFacts(RSS, 1000)).toMatchObject({
      root: 'rss',
      title: 'News & more',
      description: 'All news',
      lang: 'en-gb',
      text: 'Logo\nNews & more\nAll news\nFirst\nSome text',
    });
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>T</title><entry><title>E</title><id>x</id>
      <content type="html">&lt;p&gt;Body&lt;/p&gt;</content></entry></feed>`;
    expect(markupFacts(atom, 1000)).toMatchObject({ root: 'feed', title: 'T', lang: 'de', text: 'T\nE\nBody' });
  });

  it('that is a drawing has its title, its words and the size that it gives', () => {
    const svg =
      '<svg:svg width="20" viewBox="0 0 1 1"><style>a{}</style><title>Plan</title><text>Room <tspan>7</tspan></text></svg:svg>';
    const facts = markupFacts(svg, 1000);
    expect(facts).toMatchObject({ root: 'svg', title: 'Plan', text: 'Plan\nRoom\n7' });
    expect(facts.attributes).toEqual({ width: '20', viewBox: '0 0 1 1' });
  });

  it.each([
    ['nested without end', '<a>'.repeat(100_000), ''],
    ['of one long text', `<a>${'x'.repeat(5000)}</a>`, 'x'.repeat(1000)],
    ['of many texts', '<a>word</a>'.repeat(100_000), `${'word\n'.repeat(200)}`.slice(0, 999)],
    ['that is none', 'just words', ''],
    ['of entities that name each other', '<!DOCTYPE x [<!ENTITY a "&b;&b;"><!ENTITY b "&a;">]><x>&a;</x>', '&a;'],
  ])('%s is read within bounds', (_what, xml, text) => {
    expect(markupFacts(xml, 1000).text.trim()).toBe(text.trim());
  });
});

describe('a JSON file', () => {
  it('has what it calls itself', () => {
    expect(
      dataFacts(
        '\uFEFF{"version":"https://jsonfeed.org/version/1.1","title":" Feed ","description":"d","language":"en"}',
      ),
    ).toEqual({ title: 'Feed', description: 'd', lang: 'en' });
    expect(dataFacts('{"short_name":"App","name":"The app","lang":"pt-BR"}').title).toBe('The app');
  });

  it.each(['[1]', '"x"', 'null', '{"title":7}', '{"title":" "}', '{', '', '{"__proto__":{"title":"x"}}'])(
    'of %s has none',
    (text) => {
      expect(dataFacts(text)).toEqual({ title: null, description: null, lang: null });
    },
  );
});

describe('a Markdown text', () => {
  it.each([
    ['# Title', 'Title'],
    ['words\n\n#   Title #\n# Other', 'Title'],
    ['Title\n=====\n', 'Title'],
    ['## No\n\nwords', null],
    ['#no heading', null],
    ['', null],
  ])('%j is called %j', (text, title) => {
    expect(markdownTitle(text)).toBe(title);
  });
});
