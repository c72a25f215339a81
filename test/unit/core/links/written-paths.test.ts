import { describe, expect, test } from 'vitest';
import { mayHoldPaths, writtenPaths } from '../../../../src/core/links/texts/written-paths.ts';

describe('addresses without a host in text', () => {
  test.each<[string, readonly string[]]>([
    ['The guide is at /docs/guide.', ['/docs/guide']],
    ['(see ../older/part)', ['../older/part']],
    ['inline - ./near/by, and more', ['./near/by']],
    ['Read "/notes.pdf"!', ['/notes.pdf']],
    ['/at/first and\n/second/line', ['/at/first', '/second/line']],
    ['/shop/list?page=2&sort=up#top.', ['/shop/list?page=2&sort=up#top']],
    ['See: /docs/guide', ['/docs/guide']],
    ['page=/a1/b1; x', ['/a1/b1']],
    ['[/in/brackets]', ['/in/brackets']],
    ['«/über/uns»', ['/über/uns']],
  ])('%j', (text, expected) => {
    expect(mayHoldPaths(text)).toBe(true);
    expect(writtenPaths(text)).toEqual(expected);
  });

  test.each([
    'and/or he/she n/a w/o km/h I/O TCP/IP 24/7 1/2 2024/05/06',
    'a / b // c /// d',
    '/me waves, /r, /',
    's/a/b/g and /foo/gi and /[a-z]+/',
    '/etc/hosts /usr/lib/x /var/log/syslog /home/me/x /tmp/a/b C:/c/d /C:/foo/bar file:///C:/foo/bar.html ~/.config/x',
    './configure ./run.sh ../src/main.ts ./a/b.py /lib/code/x',
    '/users/:id/posts /files/* /a/{b}/c /a/<b>/c /$1/x /a/b|c',
    '</b> <br/> /> */ /* //x.y/z',
    'https://example.org/a/b www.example.org/c/d //cdn.example/x/y me@x.y/z/w',
    '/img/logo.png /css/site.css /js/app.js /data/list.json',
    '/2024/05 /1/2 ./.. ../.. ...',
    '/wp:paragraph /container /.box',
    '$:/core/ui [[$:/language/Docs]] classpath:/static/docs me@host:/export/data/set x:/a1/b1',
    '/shortened/very... /a/b\u2026',
    '/or/not /and/more',
    '/_next/static/x /a/../b',
    '',
  ])('nothing in %j', (text) => {
    expect(writtenPaths(text)).toEqual([]);
  });

  test('each is told once, and no more than asked for', () => {
    expect(writtenPaths('/a1/b1 /a1/b1 /a2/b2 /a3/b3', 2)).toEqual(['/a1/b1', '/a2/b2']);
  });
});
