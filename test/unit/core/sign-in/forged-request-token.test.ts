import { describe, expect, it } from 'vitest';
import { forgedRequestRule } from '../../../../src/core/sign-in/forged-request-token.ts';

const rule = (path: string): string | null => forgedRequestRule(`https://a.test${path}`);

describe('a link that carries a token against forged requests acts', () => {
  it.each([
    '/wp-admin/post.php?post=38&action=trash&_wpnonce=5a1f3c2b10',
    '/doku.php?id=start&rev=1795733225&do=revert&sectok=0e20f0',
    '/course/mod.php?sesskey=aB3dE5fG7h&delete=12',
    '/usercp.php?action=subscribe&my_post_key=0123abcd',
    '/threads/1/?_xfToken=1,2',
    '/customer/address/delete/id/5/?form_key=Xy12',
    '/items/5/delete?csrf_token=a1',
    '/items/5/delete?_csrf=a1',
    '/items/5/delete?csrfToken=a1',
    '/items/5?authenticity_token=a1',
    '/index.php?option=com_content&task=articles.unpublish&cid=4&0123456789abcdef0123456789abcdef=1',
  ])('%s', (path) => expect(rule(path)).toContain('its address does something: '));

  it('names the parameter and not the token', () =>
    expect(rule('/wp-admin/post.php?action=trash&_wpnonce=5a1f')).toBe('its address does something: ?_wpnonce'));
});

describe('a link without one does not', () => {
  it.each([
    '/wp-admin/post.php?post=38&action=edit',
    '/?p=7&preview=true&preview_nonce=5a1f',
    // on each address of OpenCart, PrestaShop and older phpMyAdmin
    '/admin/index.php?route=catalog/product&user_token=a1',
    '/admin/products?_token=a1',
    '/sql.php?db=a&token=a1',
    // DokuWiki for readers who are not signed in
    '/doku.php?id=start&do=login&sectok=',
    '/docs/csrf?q=csrf_token',
    '/docs/csrf-token/',
    '/app.js?0123456789abcdef0123456789abcdef=2',
    '/csrf_token',
  ])('%s', (path) => expect(rule(path)).toBeNull());
});
