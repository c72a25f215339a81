import { describe, expect, test } from 'vitest';
import {
  droppedReferences,
  sourceReferences,
  writtenReferences,
} from '../../../../src/core/links/markup/dropped-markup.ts';
import { elementLinks } from '../../../../src/core/links/markup/element-links.ts';
import { markupTextLinks } from '../../../../src/core/links/markup/markup-text.ts';
import { noticeLinks } from '../../../../src/core/links/data/notice-links.ts';
import { readTags, readTagsOf } from '../../../../src/core/links/markup/tag-reader.ts';

const tags = (text: string): readonly string[] =>
  [...readTags(text)].map(({ name, isEnd, attributes }) =>
    `${isEnd ? '/' : ''}${name} ${attributes.map(([key, value]) => `${key}=${value}`).join(' ')}`.trim(),
  );

describe('tags', () => {
  test.each<[string, readonly string[]]>([
    ['<A HREF="/a" Class=b>x</a>', ['a href=/a class=b', '/a']],
    ["<a href='/a' href=/b>", ['a href=/a href=/b']],
    ['<br/><a/href=/a>', ['br', 'a href=/a']],
    ['<a href = "/a&amp;b&#47;c&#x2f;">', ['a href=/a&b/c/']],
    ['</p href=/a>', ['/p href=/a']],
    ['<!-- <a href=/a> --><b>', ['b']],
    ['<!doctype html><?php <a href=/a> ?><b>', ['b']],
    ['<script>"<a href=/a>"</script><b>', ['script', '/script', 'b']],
    ['<title><a href=/a></title><b>', ['title', '/title', 'b']],
    ['<a href="/a b', ['a href=/a']],
    ['<a href=/a', ['a href=/a']],
    ['1 < 2 and <3 <> </> <', []],
    ['<!-- open <a href=/a>', []],
    ['<script><a href=/a>', ['script']],
  ])('%j', (text, expected) => {
    expect(tags(text)).toEqual(expected);
  });
});

describe('tags of which some are wanted', () => {
  test('are the same tags, and only those have attributes', () => {
    const text = '<p title="<a href=/x>"><a href="/a" class=b><i c="d>e"></i></a href=/f>';
    const read = [...readTags(text, new Set(['a']))].map(({ name, attributes }) => `${name} ${attributes.length}`);
    expect(read).toEqual(['p 0', 'a 2', 'i 0', 'i 0', 'a 1']);
    expect([...readTags(text)].map(({ name }) => name)).toEqual(['p', 'a', 'i', 'i', 'a']);
  });
});

describe('tags of some elements alone', () => {
  test.each([
    '<p title="<a href=/x>"><a href="/a" class=b><i c="d>e"></i></a href=/f>',
    '<script>"<a href=/a>"</script><A HREF=/b><Abbr title="<a href=/c>"><area href=/d>',
    '<title><a href=/a></title><iframe><a href=/b></iframe><ins cite="<a>"><a href=/c><a href="/d e',
    '<style><a href=/a></style ><XMP><a href=/b></xmp><xmp-like a="<a href=/c>"><a/href=/d></p href=/e><a>',
  ])('are those that are read of all: %j', (text) => {
    const wanted = new Set(['a', 'area']);
    const all = [...readTags(text, wanted)];
    expect([...readTagsOf(text, wanted)]).toEqual(all.filter(({ name }) => wanted.has(name)));
  });
});

describe('references that stand in no node', () => {
  const dropped = (source: string, known: readonly string[]): readonly string[] => {
    const links = known.map((href) => ({ href }));
    const base = 'https://example.org/dir/page';
    const left = droppedReferences(sourceReferences(source), links, base);
    // leaving out known references early changes nothing
    expect(droppedReferences(sourceReferences(source, writtenReferences(links)), links, base)).toEqual(left);
    return left.map(({ href, rel }) => (rel === '' ? href : `${href} ${rel}`));
  };

  test.each<[string, string, readonly string[], readonly string[]]>([
    ['what the document has is none', '<a href="/a"><form action="b">', ['/a', 'b'], []],
    ['character references', '<a href="/b&uuml;cher/x.html?a=1&copy=2&amp;c">', ['/bücher/x.html?a=1&copy=2&c'], []],
    ['a mail address that Cloudflare hides', '<a href="/cdn-cgi/l/email-protection#6e0f2e0c400d">', [], []],
    ['octets of another encoding', '<a href="/\ufffd\ufffd.html"><a href="/\uf6b1.html">', ['/é.html'], []],
    ['a character reference of a dropped form', '<form action="/b&uuml;cher/">', [], ['/bücher/']],
    ['a form in a form', '<form action="/a"><form action="/b"></form>', ['/a'], ['/b']],
    ['a second value', '<a href="/a" href="/b">', ['/a'], ['/b']],
    ['an end tag', '<p></a href="/b">', [], ['/b']],
    ['a frame in a body', '<body><frame src="/b">', [], ['/b']],
    ['a tag that breaks off', '<a href="/a">x</a><a href="/b" cl', ['/a'], ['/b']],
    ['with its rel', '<a href="/b" rel="nofollow">', [], ['/b nofollow']],
    ['what was written anew is none', '<a href="b?x#y">', ['https://example.org/dir/b?x'], []],
    ['what is sent is none', '<form action="/b" method="post"><button formaction="/c" formmethod="post">', [], []],
    ['places and code are none', '<a href="#x"><a href="javascript:y()"><a href=""><a href="mailto:a@b.c">', [], []],
    ['what a template is to fill in is none', '<a href="/a/{{id}}"><a href="/a/<%= x %>"><a href="/:id">', [], []],
    ['parts are none', '<img src="/b.png"><a href="/c.png"><link href="/d"><script src="/e">', [], []],
    [
      'comments, scripts and texts are none',
      '<!--<a href="/b">--><script>"<a href=/c>"</script><textarea><a href=/d>',
      [],
      [],
    ],
  ])('%s', (_what, source, known, expected) => {
    expect(dropped(source, known)).toEqual(expected);
  });
});

describe('markup in a text', () => {
  const read = (text: string): readonly string[] =>
    markupTextLinks(text, 'div/@title', elementLinks).map(
      ({ kind, context, href, confidence }) => `${confidence} ${kind} ${context} ${href}`,
    );

  test.each<[string, readonly string[]]>([
    ['<b>x</b> <a href="/a">y</a>', ['low anchor div/@title a/@href /a']],
    ["<img src='/a.png'>", ['low resource div/@title img/@src /a.png']],
    ['<form action=/a>', ['low form div/@title form/@action /a']],
    ['a < b and href=/x > c', []],
    ['<b>bold</b>', []],
    ['<a href="{{url}}">x</a><a href="#top"><a href="javascript:void(0)">', []],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe('the notice of an error', () => {
  const read = (html: string): readonly string[] =>
    noticeLinks(html, 'https://example.org/gone/page', 'error').map(({ kind, confidence, context, href, base, rel }) =>
      `${confidence} ${kind} ${context} ${href} ${base} ${rel.join()}`.trim(),
    );

  test('is read for its elements, all of them guesses, relative to its base', () => {
    expect(
      read('<base href="/b/"><a href="c" rel="nofollow">x</a><meta http-equiv=refresh content="3;url=/d">'),
    ).toEqual([
      'low resource error: base/@href /b/ https://example.org/b/',
      'low anchor error: a/@href c https://example.org/b/ nofollow',
      'low meta-refresh error: meta/@content /d https://example.org/b/',
    ]);
  });

  test('has character references as browsers read them', () => {
    expect(read('<a href="/b&uuml;cher/&amp;uuml;">x</a>')).toEqual([
      'low anchor error: a/@href /bücher/&uuml; https://example.org/gone/page',
    ]);
  });

  test('holds nothing in scripts, comments and places', () => {
    expect(
      read('<script>"<a href=/a>"</script><!-- <a href=/b> --><a href="#c"><a href="/{{d}}"></a href="/e">'),
    ).toEqual([]);
  });
});
