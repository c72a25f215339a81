/**
 * Links that sign out by their address or by their text. Where a crawl is signed in they are recorded and not visited. Only plain words
 * count: a page about logging out is a page.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import { queryPairs } from './query-pairs.ts';

/** Segments of paths, and values of parameters that name an action. What stands behind `!` or `;` is a part of the action, or a token. */
const WORD =
  /^(?:(?:do|user|users|user\.menu|customer|client|my|web|admin|perform|account|auth|session|sessions|member|wp|user-|j_spring_security)?[-_.]?)?(?:log-?out|log-?off|sign-?out|sign-?off|log_out|log_off|sign_out|sign_off)(?:[-_.]?(?:user|now|action|process|handler|all|page))?(?:!\w+)?(?:\.(?:php|aspx?|jsp[ax]?|jsf|do|x?html?|action|cgi|cfm|seam|owa|pl|py))?(?:;.*)?$/i;
/** Two segments that say it together: `/session/destroy`, `/sessions/end`. */
const PAIR =
  /\/(?:session|sessions|user_session|user_sessions)\/(?:destroy|delete|end|close|logout|terminate)(?:\/|$)/i;
/** OpenID Connect's end-session endpoint, and the names that products give theirs. */
const ENDPOINT =
  /\/(?:end-?session|endsession|abmelden|ausloggen|deconnexion|cerrar-?sesion|uitloggen|wyloguj)(?:\.\w{1,5})?(?:\/|$)/i;
/** Parameters whose value is an action. */
const ACTION =
  /^_?(?:action|act|do|cmd|command|op|mode|task|page|view|route|event|method|func|a|m|p|q|r|log-?_?in-?_?(?:type|op))$/i;
/** Parameters that sign out by their mere presence. */
const SWITCH = /^(?:(?:my|do|user|customer)[-_]?)?(?:log-?_?out|log-?_?off|sign-?_?out|sign-?_?off)$/i;
/** WS-Federation's sign-out: `?wa=wsignout1.0`. */
const FEDERATED = /^wsignout/i;

const TEXTS =
  'log out,logout,log off,logoff,log me out,sign out,signout,sign off,signoff,sign me out,end session,abmelden,ausloggen,sitzung beenden,' +
  'déconnexion,deconnexion,se déconnecter,se deconnecter,me déconnecter,déconnecter,fermer la session,cerrar sesión,cerrar sesion,salir,' +
  'salir de la cuenta,desconectar,desconectarse,disconnetti,disconnettiti,esci,esci dal sito,terminar sessão,encerrar sessão,sair,' +
  'sair da conta,uitloggen,afmelden,wyloguj,wyloguj się,logga ut,logg ut,log ud,log af,kirjaudu ulos,odhlásit,odhlásit se,odhlásiť sa,' +
  'odjava,odjavi se,kijelentkezés,deconectare,atsijungti,logi välja,изход,выйти,выход,разлогиниться,вийти,вихід,keluar,log keluar,' +
  'đăng xuất,ออกจากระบบ,çıkış,çıkış yap,güvenli çıkış,oturumu kapat,αποσύνδεση,התנתק,התנתקות,تسجيل الخروج,خروج,退出登录,退出,安全退出,' +
  '登出,注销,退出账号,ログアウト,サインアウト,로그아웃';
const PHRASES: ReadonlySet<string> = new Set(TEXTS.split(','));
/** Longer texts are sentences. */
const TEXT_LENGTH = 60;

/** The reason why a link signs out, in words for a record; null where there is none. */
export function signOutRule({ url, text }: { readonly url: string; readonly text: string }): string | null {
  const part = signOutPart(url);
  if (part !== null) return `its address signs out: ${part}`;
  return isSignOutText(text) && !isStart(url) ? `its text signs out: ${text.trim()}` : null;
}

/** A site's start page signs nobody out: the link's script does, and other links lead there, too. */
function isStart(text: string): boolean {
  const url = parsedUrl(text);
  return url !== null && url.pathname === '/' && url.search === '' && /^(?:#!?\/?)?$/.test(url.hash);
}

/** The part of an address that signs out; null where there is none. */
function signOutPart(text: string): string | null {
  const url = parsedUrl(text);
  if (url === null) return null;
  const [pair] = PAIR.exec(url.pathname) ?? ENDPOINT.exec(url.pathname) ?? [];
  if (pair !== undefined) return pair;
  // a further target, or a token, may follow it
  const word = url.pathname.split('/').find((segment) => WORD.test(segment));
  if (word !== undefined) return `/${word}`;
  for (const [name, value] of queryPairs(url.search)) {
    if (SWITCH.test(name) && !/^(?:0|false|no)$/i.test(value)) return `?${name}`;
    if (name === 'wa' && FEDERATED.test(value)) return `?wa=${value}`;
    if (ACTION.test(name) && WORD.test(value.split('/').at(-1) ?? '')) return `?${name}=${value}`;
  }
  // a route of a hash router
  const route = url.hash.replace(/^#!?\/?/, '');
  return url.hash.startsWith('#/') && route.split(/[/?]/).some((segment) => WORD.test(segment)) ? `#/${route}` : null;
}

/** Is the whole text a phrase to sign out? A name may follow it: `Log out (alice)`, `Abmelden: alice`. */
function isSignOutText(text: string): boolean {
  if (text.length > TEXT_LENGTH) return false;
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s\u00A0]+/g, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const phrase = words.replace(/ ?[([:–—|•,].*$/u, '').replace(/[^\p{L}\p{N}\p{M}]+$/u, '');
  return PHRASES.has(phrase);
}
