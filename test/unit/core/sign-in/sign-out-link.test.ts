import { describe, expect, it } from 'vitest';
import { signOutRule } from '../../../../src/core/sign-in/sign-out-link.ts';

const address = (path: string): string | null => signOutRule({ url: `https://a.test${path}`, text: '' });
const text = (words: string): string | null => signOutRule({ url: 'https://a.test/x', text: words });

describe('an address signs out', () => {
  it.each([
    '/logout',
    '/log-out',
    '/Logout.php?return=/a',
    '/users/sign_out',
    '/signout/',
    '/account/SignOff',
    '/logoff.aspx',
    '/session/destroy',
    '/sessions/destroy/7',
    '/user-logout',
    '/do_logout',
    '/logout/a1b2c3',
    '/wp-login.php?action=logout&_wpnonce=1',
    '/index.php?option=com_users&task=user.logout',
    '/?logout',
    '/?logout=1',
    '/index.php?title=Special:UserLogout&action=logout',
    '/oidc/endsession?id_token_hint=x',
    '/konto/abmelden',
    '/app#/logout',
  ])('%s', (path) => expect(address(path)).toMatch(/^its address signs out: /));

  it.each([
    '/docs/how-to-log-out-everywhere',
    '/login',
    '/blog/logout-considered-harmful',
    '/logouts-2024',
    '/?q=logout+button',
    '/?logout=0',
    '/session/7',
    '/layout',
    '/blogout',
    '/?next=%2Flogin',
    '/signoff-sheets/7',
  ])('but not %s', (path) => expect(address(path)).toBeNull());
});

describe('the text of a link signs out', () => {
  it.each([
    'Log out',
    ' LOG  OUT ',
    'Sign out (alice@example.org)',
    'Abmelden',
    '× Abmelden',
    'Logout: alice',
    'Se déconnecter',
    'Cerrar sesión',
    'Выйти',
    '退出登录',
    'ログアウト',
    'Sign out »',
  ])('%s', (words) => expect(text(words)).toMatch(/^its text signs out: /));

  it.each([
    'How to log out',
    'Log out of all devices and what it means for you',
    'Logout tutorial',
    'Exit poll',
    '',
    '(',
  ])('but not %s', (words) => expect(text(words)).toBeNull());
});
