/** Words that identify pages without content, in the languages of many sites; each pattern takes time in proportion to its text. */

type VerdictMarks = Readonly<
  Record<
    | 'challengeTitle'
    | 'challengeText'
    | 'challengeProgram'
    | 'consentTitle'
    | 'consentWords'
    | 'consentButtons'
    | 'notFound'
    | 'errorTitle'
    | 'errorText'
    | 'signInTitle'
    | 'signInPath'
    | 'waiting'
    | 'needsScripts',
    RegExp
  >
>;

/** How a line begins that says of its own page that it was not found. */
const NOT_FOUND: readonly string[] = [
  String.raw`(?:error|http|status)?[\s:#-]*404\b(?!\s*(?:pages?\s+(?:in|for|with)|handling|how))`,
  String.raw`(?:the |this |that |we |requested |sorry[,!. ]+)*(?:page|file|document|url|article|product|content|resource)\s+(?:you\S*\s+(?:(?:are\s+|were\s+)?\w+\s+for|requested|entered)\s+)?(?:(?:(?:was|is|could|can|does)\s*)?(?:not|n['’]t)|can['’]t)\s+(?:be\s+)?(?:found|exist)`,
  String.raw`(?:sorry[,!. ]+(?:but )?)?we\s+(?:could\s*(?:not|n['’]t)|cannot|can['’]t)\s+(?:seem\s+to\s+)?find\s+(?:the|that|this)\s+page`,
  String.raw`not found\W*$`,
  String.raw`nothing (?:was )?found\W*$`,
  String.raw`oops\W+(?:that |this )?page`,
  '(?:die )?seite (?:wurde )?nicht gefunden',
  '(?:la )?page (?:est )?introuvable|page non trouv',
  '(?:la )?página no (?:encontrada|existe)|página não (?:foi )?encontrada',
  'pagina (?:non trovata|niet gevonden|nu a fost găsită|nu există)',
  'sidan (?:hittades inte|kunde inte hittas|finns inte)|siden (?:(?:blev|ble|kunne) ikke (?:fundet|funnet|findes|finnes)|(?:findes|finnes) ikke)',
  'sivua ei (?:löytynyt|löydy)',
  'nie znaleziono (?:takiej )?strony|strona nie (?:została )?(?:znaleziona|istnieje)',
  'stránka (?:nebyla nalezena|nenalezena|neexistuje|nebola nájdená|sa nenašla)',
  '(?:az? )?(?:keresett )?oldal nem található',
  '(?:запрашиваемая |запрошенная )?страница не (?:найдена|существует)|сторінк[ау] не (?:знайден[оа]|існує)',
  'η σελίδα δεν (?:βρέθηκε|υπάρχει)',
  '(?:aradığınız )?sayfa bulunamadı',
  'halaman tidak ditemukan|không tìm thấy trang',
  'الصفحة (?:المطلوبة )?غير موجودة|הדף (?:המבוקש )?לא נמצא',
  String.raw`[^\s。、]{0,12}ページ[がは](?:見つかり|存在し)ません`,
  String.raw`(?:(?:抱歉|对不起|對不起|很抱歉)[，,！!\s]*)?(?:[^\s。，,]{0,8}(?:页面|頁面|网页|網頁)(?:不存在|未找到|没有找到|沒有找到|找不到)|找不到[^\s。，,]{0,8}(?:页面|頁面|网页|網頁))`,
  '(?:요청하신 |해당 )?페이지를 찾을 수 없',
];

/** Lines are titles and headings; a line that merely mentions a word is none of these. */
export const MARKS: VerdictMarks = {
  challengeTitle:
    /^(?:just a moment|attention required|access (?:to this page (?:has been )?)?denied|checking your browser|ddos-guard|ddos protection|verify(?:ing)? (?:that )?you are (?:a )?human|are you (?:a )?(?:human|robot)|bot (?:check|verification)|human verification|security (?:check|verification)|pardon our interruption|please wait\W|one more step|robot check|captcha|einen moment|un momento|un instant)/i,
  challengeText:
    /(?:checking (?:if the site connection is secure|your browser)|verify(?:ing)? (?:that )?you are (?:a )?human|not a (?:ro)?bot|unusual (?:traffic|activity)|enable javascript and cookies to continue|security of your connection|ray id|incident id|reference #|blocked|permission to access|complete the (?:captcha|security check)|automated (?:access|requests))/i,
  challengeProgram:
    /(?:\/cdn-cgi\/challenge-platform|challenges\.cloudflare\.com|_incapsula_resource|captcha-delivery\.com|px-captcha|perimeterx|hcaptcha\.com|recaptcha|awswaf|akam\/|geo\.captcha|arkoselabs|ddos-guard|anubis)/i,
  consentTitle:
    /^(?:before you continue|your privacy|we (?:value|respect|care about) your privacy|cookie (?:consent|settings|preferences|notice)|cookies? (?:on|and)\b|consent|privacy (?:settings|preferences)|datenschutzeinstellungen|privatsphäre|cookie-einstellungen|gestion des cookies|votre vie privée|bevor sie|avant de continuer)/i,
  consentWords:
    /\b(?:cookies?|consent|partners?|personali[sz]ed|tracking|privacy|einwillig\w*|datenschutz\w*|consentement|traceurs)\b/gi,
  consentButtons:
    /(?:accept all|accept (?:and|&) (?:continue|close)|i (?:accept|agree)|agree (?:and|&) (?:continue|proceed)|reject all|allow all|manage (?:options|preferences|settings|choices)|alle(?:s)? (?:akzeptieren|ablehnen)|zustimmen|tout (?:accepter|refuser)|accepter et continuer|aceptar todo|accetta tutti)/i,
  notFound: new RegExp(
    `^(?:${NOT_FOUND.join('|')})|\\b404\\W+(?:page )?not found\\W*$|[|–—-]\\s*(?:404|page not found)\\W*$`,
    'i',
  ),
  errorTitle:
    /^(?:(?:error|http|status)?[\s:#-]*5\d\d\b\W*(?:$|(?:internal|bad|service|gateway|server|error|temporarily|http))|internal server error|bad gateway|gateway time-?out|service (?:temporarily )?unavailable|server error\b|(?:unexpected |application |database |fatal )?error\W*$|(?:an |unexpected |unknown )*error (?:has )?occurr?ed|whitelabel error page|something went wrong|database error|error establishing a database connection|we['’]?ll be (?:right )?back|(?:site |website |down |closed |offline )*(?:is )?(?:down |closed |offline )?(?:for |under |in )?(?:scheduled )?maintenance\W*$|403 forbidden|forbidden\W*$|too many requests|bad request|wartungsarbeiten)/i,
  errorText:
    /(?:^\s*(?:fatal error|parse error|warning: \w+\(|uncaught (?:exception|error|\w+error)|traceback \(most recent call last\)|exception in thread)|error establishing a database connection|a client-side exception has occurred|internal server error|this application has no explicit mapping for \/error|server error in '\/' application|sqlstate\[|unhandled (?:runtime )?(?:exception|error)|stack ?trace:|we(?:['’]re| are) sorry, but something went wrong|the server encountered (?:an|a temporary)|something went wrong\W*(?:please )?(?:try|reload|refresh))/i,
  signInTitle:
    /^(?:(?:please )?(?:log|sign)[\s-]?(?:in|on)\b|(?:member|user|customer|admin|account|single) (?:log|sign)[\s-]?(?:in|on)\b|authentication (?:required|needed)|enter your password|welcome back\W*$|anmeld(?:en|ung)\b|einloggen|connexion\b|se connecter|identifi(?:ez|cation)|iniciar sesi|acceder\W*$|accedi\b|entrar\W*$|inloggen|logga in|zaloguj|войти|вход\b|登录|ログイン|로그인)|[|–—:-]\s*(?:log|sign)[\s-]?in\W*$/i,
  signInPath:
    /\/(?:log-?in|sign-?in|sso|auth|oauth2?|session|users\/sign_in|wp-login|anmelden|connexion|account\/login)(?:[/.]|$)/i,
  waiting:
    /^(?:(?:loading|please|wait|one moment|initiali[sz]ing|laden|chargement|cargando|caricamento|wird geladen)[\s.…!]*)+$/i,
  needsScripts:
    /(?:(?:enable|activate|turn on|requires?|need) (?:\w+ ){0,3}javascript|javascript (?:is |to be )?(?:required|disabled|enabled)|doesn['’]t work properly without javascript|javascript (?:aktivieren|erforderlich)|activer javascript)/i,
};
