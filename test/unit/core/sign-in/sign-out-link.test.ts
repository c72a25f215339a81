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
    // WooCommerce, PrestaShop, TYPO3, Roundcube, Frappe, Zimbra, Joomla, Simple Machines, Spring Security, ColdFusion, Jira, Outlook
    '/my-account/customer-logout/?_wpnonce=1',
    '/?page_id=9&customer-logout',
    '/?mylogout=',
    '/?logintype=logout',
    '/mail/?_task=logout&_token=x',
    '/?cmd=web_logout',
    '/?loginOp=logout',
    '/component/users/?task=user.menulogout',
    '/index.php?action=logout;b1d5f=2d4',
    '/index.php?topic=7.0;action=logout',
    '/j_spring_security_logout',
    '/perform_logout',
    '/logout.cfm',
    '/secure/Logout!default.jspa?atl_token=x',
    '/owa/logoff.owa',
    '/adfs/ls/?wa=wsignout1.0',
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
    '/docs/single-logout',
    '/customer-logouts',
    '/help/my-logout-button-is-gone',
    '/img/logout.png',
    '/?tag=logout',
    '/?wa=wsignin1.0',
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
    'Sair',
    'Salir',
    'Esci',
    'Выход',
    'Вихід',
    '退出',
    '安全退出',
    'Keluar',
    'Đăng xuất',
    'Odjava',
    'Log af',
    'Güvenli Çıkış',
    'خروج',
    'Desconectar',
  ])('%s', (words) => expect(text(words)).toMatch(/^its text signs out: /));

  it.each([
    'How to log out',
    'Log out of all devices and what it means for you',
    'Logout tutorial',
    'Exit poll',
    'Salir de fiesta',
    'Выход на пенсию',
    'Exit',
    '',
    '(',
  ])('but not %s', (words) => expect(text(words)).toBeNull());
});

it.each(['https://a.test/', 'https://a.test/#/', 'http://a.test:8080/#!/'])(
  'the text of a link to %s, where a script signs out and the start page comes next, says nothing of its address',
  (url) => expect(signOutRule({ url, text: 'Log out' })).toBeNull(),
);
