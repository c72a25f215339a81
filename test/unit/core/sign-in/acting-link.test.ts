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
