import { describe, expect, it } from 'vitest';
import { actingRule } from '../../../../src/core/sign-in/acting-link.ts';

const rule = (path: string): string | null => actingRule(`https://a.test${path}`);

describe('an address that changes something by a visit', () => {
  it.each([
    ['/articles/7/delete/', '/delete'],
    ['/delete/7', '/delete'],
    ['/delete.php?id=7', '/delete.php'],
    ['/delete_post/7', '/delete_post'],
    ['/posts/my-first-post/remove', '/remove'],
    ['/artikel/7/l%C3%B6schen', '/löschen'],
    ['/index.php?action=delete&id=7', '?action=delete'],
    ['/index.php?option=x&task=users.delete', '?task=users.delete'],
    ['/wp-admin/post.php?post=7&action=trash', '?action=trash'],
    ['/admin.php?do=del&uid=7', '?do=del'],
    ['/list?delete=7', '?delete'],
    // Simple Machines, and programs with CGI.pm
    ['/index.php?action=deletemsg;topic=3.0;msg=7;b1d5f=2d4', '?action=deletemsg'],
    ['/index.php?topic=3.0;action=removetopic2', '?action=removetopic2'],
    ['/index.php?action=pm;sa=removeall2', '?sa=removeall2'],
    ['/wiki.cgi?page=start;delete=7', '?delete'],
    ['/cart/?remove_item=a1b2', '?remove_item'],
    ['/wp-admin/plugins.php?plugin=x&_wpnonce=1f', 'it has the proof ?_wpnonce'],
    ['/user/preferences.php?hide=7&sesskey=ab', 'it has the proof ?sesskey'],
    ['/vote?id=7&how=up', '/vote'],
    ['/posts/7/like', '/like'],
    ['/orders/3f2a9c1e/cancel', '/cancel'],
  ])('%s', (path, why) => expect(rule(path)).toBe(`it would change something: ${why}`));

  it.each([
    '/',
    '/articles/7/',
    '/articles/7/edit/',
    '/articles/7/history/',
    '/how-to-delete-cookies',
    '/deleted/',
    '/docs/map/delete',
    '/docs/orders/7/cancel',
    '/reference/delete.html',
    '/delete.html',
    '/mail/trash/',
    '/search?q=delete',
    '/gitweb.cgi?p=delete.git;a=commitdiff;h=1f',
    '/index.php?topic=7.0;all',
    '/?view=trash',
    '/list?delete=0',
    '/list?csrf=',
    '/polls/vote',
    '/company/publish',
    '/follow',
    '/%FF/delete-it',
    'mailto:a@b.test',
  ])('but not %s', (path) => expect(path.startsWith('/') ? rule(path) : actingRule(path)).toBeNull());
});

describe('an address with a proof against forged requests', () => {
  it.each([
    '/doku.php?id=start&rev=1795733225&do=revert&sectok=0e20f0',
    '/course/mod.php?sesskey=aB3dE5fG7h&delete=12',
    '/usercp.php?action=subscribe&my_post_key=0123abcd',
    '/threads/1/?_xfToken=1,2',
    '/customer/address/5/?form_key=Xy12',
    '/items/5?csrf_token=a1',
    '/items/5?_csrf=a1',
    '/items/5?csrfToken=a1',
    '/items/5?authenticity_token=a1',
    '/index.php?option=com_content&task=articles.show&cid=4&0123456789abcdef0123456789abcdef=1',
  ])('%s', (path) => expect(rule(path)).toMatch(/^it would change something: it has (?:a|the) proof/));

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
  ])('but not %s', (path) => expect(rule(path)).toBeNull());
});
