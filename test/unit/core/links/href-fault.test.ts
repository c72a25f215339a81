import { describe, expect, it } from 'vitest';
import { hrefFault } from '../../../../src/core/links/href-fault.ts';

describe('the address of an anchor', () => {
  it.each([
    ['htp://other.example/', 'htp is no scheme; http is meant'],
    ['HTTTPS://other.example/', 'htttps is no scheme; https is meant'],
    ['ttps://other.example/', 'ttps is no scheme; https is meant'],
    ['mailo:me@other.example', 'mailo is no scheme; mailto is meant'],
    ['javscript:void(0)', 'javscript is no scheme; javascript is meant'],
    ['mailto:', 'it has no mail address'],
    [' mailto:%20 ', 'it has no mail address'],
    ['mailto:info(at)other.example', '"info(at)other.example" is no mail address'],
    ['mailto:me@other.example,you', '"you" is no mail address'],
    ['tel:', 'it has no number'],
    ['tel:call us', 'it has no number'],
  ])('%j is at fault: %s', (href, fault) => {
    expect(hrefFault(href, true)).toBe(fault);
  });

  it.each([
    ['http://', 'it has no host'],
    ['//', 'it has no host'],
    ['https://exa mple.com/', 'it is no URL'],
  ])('%j, which no browser can parse, is at fault: %s', (href, fault) => {
    expect(hrefFault(href, false)).toBe(fault);
  });

  it.each([
    ...['javascript:void(0)', 'mailto:me@other.example', 'mailto:a%40other.example', 'mailto:?body=x', 'tel:*100#'],
    ...[
      'mailto:Me <me@other.example>; you@other.example;',
      'ftp://a/',
      'sftp://a/',
      'git:a',
      'sms:+1',
      'whatsapp://send',
    ],
    ...[
      'magnet:?xt=a',
      'data:,a',
      'blob:a',
      'about:blank',
      'steam://run',
      'hxxp://bad.example/',
      'intent://a',
      'geo:1,2',
    ],
  ])('%j may be meant', (href) => {
    expect(hrefFault(href, true)).toBeNull();
  });
});
