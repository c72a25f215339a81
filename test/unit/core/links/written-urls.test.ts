import { describe, expect, test } from 'vitest';
import { commentUrls, writtenUrls } from '../../../../src/core/links/texts/written-urls.ts';
import { processorTime } from '../../../support/processor-time.ts';

describe('addresses in text', () => {
  test.each<[string, string, readonly string[]]>([
    ['a URL in a sentence', 'See https://example.org/a.', ['https://example.org/a']],
    ['a URL in brackets', '(see https://example.org/a)', ['https://example.org/a']],
    ['brackets of its own', 'https://example.org/a_(b), too', ['https://example.org/a_(b)']],
    [
      'a URL in quotes',
      '“https://example.org/q”, ‘https://example.org/r’',
      ['https://example.org/q', 'https://example.org/r'],
    ],
    [
      'a name without a scheme',
      'www.example.org/x and www.example.org.',
      ['http://www.example.org/x', 'http://www.example.org'],
    ],
    ['a query and a fragment', 'https://example.org/a?b=c&d=e#f!', ['https://example.org/a?b=c&d=e#f']],
    ['a port', 'http://127.0.0.1:8080/x; http://localhost:3/y', ['http://127.0.0.1:8080/x', 'http://localhost:3/y']],
    ['the link of Markdown', '[a](https://example.org/m) b', ['https://example.org/m']],
    ['a link called by itself', '[https://example.org/m](https://example.org/m)', ['https://example.org/m']],
    ['other scripts around', '见https://example.org/中。然后', ['https://example.org/中']],
    ['angle brackets', '<https://example.org/x>', ['https://example.org/x']],
    ['what was shortened', 'https://example.org/very-l… or https://example.org/l...', []],
    ['a scheme alone', 'https:// and http://x and www. and www.example', []],
    ['a mail address', 'me@www.example.org', []],
    ['file names and versions', 'src/www.ts 1.2.3 a/b/c.html', []],
  ])('%s is read', (_name, text, urls) => {
    expect(writtenUrls(text)).toEqual(urls);
  });

  test('a hostile text takes no long time', () => {
    const started = processorTime();
    writtenUrls(`${'http://'.repeat(50_000)} ${'www.'.repeat(50_000)} http://a.b/${')'.repeat(100_000)}`);
    expect(processorTime() - started).toBeLessThan(1000);
  });
});

describe('addresses in comments', () => {
  test.each<[string, string, readonly string[]]>([
    ['markup that was taken out', ' <a href="/old">x</a> <img src=\'p.png\'> ', ['/old', 'p.png']],
    ['a bare address', ' TODO https://example.org/t ', ['https://example.org/t']],
    ['a conditional comment', '[if IE]><script src="/ie.js"></script><![endif]', ['/ie.js']],
    ['what leads nowhere', '<a href="#"> <a href="javascript:void(0)"> <a href="{{ url }}">', []],
  ])('%s is read', (_name, text, urls) => {
    expect(commentUrls(text)).toEqual(urls);
  });
});
