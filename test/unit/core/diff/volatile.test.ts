import { describe, expect, it } from 'vitest';
import { steadyText } from '../../../../src/core/diff/volatile.ts';
import { steadyAddress, steadyLink } from '../../../../src/model/url/steady-address.ts';

describe('the steady form of a line', () => {
  it.each([
    ['1,204 views', '1,207 views'],
    ['Views: 12', 'Views: 1.2k'],
    ['3 users online', '12 users online'],
    ['Page generated in 0.123 seconds', 'Page generated in 1.5 seconds'],
    ['Request 6f1c9a52-88b1-4c2d-9c0e-0d1f5a7b3c11', 'Request 00000000-88b1-4c2d-9c0e-0d1f5a7b3c12'],
    ['Build 9f2c41d07be3', 'Build 0a1b2c3d4e5f'],
    ['nonce dGhpcyBpcyBhIG5vbmNlIG9mIDMy', 'nonce YW5vdGhlciBub25jZSBvZiAzMiBi9'],
  ])('is the same of %s and %s', (one, other) => {
    expect(steadyText(one)).toBe(steadyText(other));
  });

  it.each([
    ['The price is 12 euro', 'The price is 14 euro'],
    ['Chapter 3', 'Chapter 4'],
    ['Version 1.2.3', 'Version 1.2.4'],
    ['Call 0800 123456', 'Call 0800 123457'],
    ['accede', 'facade'],
  ])('tells %s from %s', (one, other) => {
    expect(steadyText(one)).not.toBe(steadyText(other));
  });
});

describe('the steady address of a file', () => {
  it.each([
    ['/app.3f9a1c02.js', '/app.77aa01bc.js'],
    ['/assets/index-BsdF1fGk.css', '/assets/index-D9x_kLmQ.css'],
    ['/static/js/main.8d3c1f02.chunk.js', '/static/js/main.00aa11bb.chunk.js'],
    ['/_next/static/qB3x9_fT2kLm8Zp1Rv5Yw/app.js', '/_next/static/Zz1x9_fT2kLm8Zp1Rv5Aa/app.js'],
    ['/main-5L5TGXXS.js', '/main-P3JBF3A7.js'],
    ['/chunk-LVLUJRAL.js', '/chunk-2MR67BVV.js'],
    ['/assets/Request.md.CRZGV4AF.lean.js', '/assets/Request.md.O3-eo5q0.lean.js'],
    ['/assets/Testing.md.CHJIahrv.js', '/assets/Testing.md.CZBKRPac.js'],
    ['/media/inter-JZQLRJAL.woff2', '/media/inter-7J4WNMUN.woff2'],
    ['/style.css?v=12', '/style.css?v=13'],
    ['/style.css?20261123', '/style.css?20261124'],
    ['/pixel.gif?_=1700000000000', '/pixel.gif?_=1700000000001'],
    ['/a;jsessionid=1A2B/b.js', '/a;jsessionid=FFFF/b.js'],
  ])('is the same of %s and %s', (one, other) => {
    expect(steadyAddress(one)).toBe(steadyAddress(other));
  });

  it.each([
    ['/jquery-3.6.0.min.js', '/jquery-3.7.1.min.js'],
    ['/photo-1.jpg', '/photo-2.jpg'],
    ['/img/harbour.png', '/img/market.png'],
    ['/img/header-background.png', '/img/header-foreground.png'],
    ['/data.json?page=1', '/data.json?page=2'],
    ['/iPhone-review.jpg', '/iPad-review.jpg'],
    ['/js/app-DataGrid.js', '/js/app-ListView.js'],
    ['/js/app-mainView.js', '/js/app-sideView.js'],
    ['/js/app-MODULE01.js', '/js/app-MODULE02.js'],
    ['/js/lib-10-BETA1.js', '/js/lib-10-BETA2.js'],
    ['/js/lib-AMS_HTML.js', '/js/lib-AMS_CHTM.js'],
    ['/img/shoe-SK12TU34.jpg', '/img/shoe-SK12TU35.jpg'],
    ['/img/shoe-SK12TU34.jpg', '/img/boot-SK12TU34.jpg'],
    ['/assets/user-profile-page-D7bP4r4d.js', '/assets/user-settings-page-D7bP4r4d.js'],
  ])('tells %s from %s', (one, other) => {
    expect(steadyAddress(one)).not.toBe(steadyAddress(other));
  });

  it('is its own steady form', () => {
    for (const address of ['/assets/a-page-D7bP4r4d.js', '/chunk-LVLUJRAL.js?v=2', '/app.3f9a1c02.js'])
      expect(steadyAddress(steadyAddress(address))).toBe(steadyAddress(address));
  });

  it('of a page keeps all but nonces and sessions', () => {
    expect(steadyLink('/list?page=2&v=3&nonce=abc&PHPSESSID=1#top')).toBe('/list?page=2&v=3&nonce=*&PHPSESSID=*#top');
    expect(steadyLink('/list?p=2;v=3;PHPSESSID=1;q=4')).toBe('/list?p=2;v=3;PHPSESSID=*;q=4');
  });
});
