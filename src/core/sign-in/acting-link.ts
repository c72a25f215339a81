/**
 * Links that take something away, or change something, by a mere visit: many applications delete, vote and publish by GET. Where a crawl
 * is signed in they are recorded and not visited. Only addresses tell: a button "Delete" may have the address of its page.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import { queryPairs } from './query-pairs.ts';

/** A word of a path that takes something away, in the languages of those who name addresses. */
const REMOVES =
  'delete|destroy|remove|erase|purge|unsubscribe|uninstall|loeschen|löschen|entfernen|supprimer|effacer|eliminar|borrar|elimina|cancella|' +
  'excluir|apagar|remover|verwijderen|usun|usuń|smazat|radera|slett|slet|poista|удалить|删除';
/** A word that changes something, where the address names the thing: `/orders/7/cancel`, `/vote?id=7`. */
const CHANGES =
  '(?:up|down|un)?vote|(?:un)?like|(?:un)?follow|(?:un)?publish|approve|reject|cancel|revoke|(?:un)?ban|toggle|rollback|(?:de)?activate|' +
  'enable|disable|untrash';
const PROGRAM = '(?:\\.(?:php\\d?|aspx?|jsp|do|action|cgi|cfm|pl|py))?';
/** Whole segments: `/delete`, `/delete.php`, `/delete_post`, `/post_delete`; a page about deleting is a page. */
const REMOVING = new RegExp(`^(?:\\w+_)?(?:${REMOVES})(?:_\\w+)?${PROGRAM}$`, 'iu');
const CHANGING = new RegExp(`^(?:${CHANGES})(?:_\\w+)?${PROGRAM}$`, 'iu');
/** Where methods and commands have pages that are called like them. */
const MANUAL = /^(?:docs?|documentation|help|apidocs?|references?|manuals?|guides?|wiki|kb|faq|tutorials?)$/i;
const ID = /^(?:\d+|(?=[a-f-]*\d)[\da-f-]{8,}|(?=[a-z]*\d)\w{16,})$/i;

/** Parameters whose value is an action. */
const ACTION = /^_?(?:sub)?(?:action2?|sa|act|do|cmd|command|op|task|event|method|func|todo)$/i;
/** Values of them: `delete`, `delete_post`, `users.delete`, `del`, and as Simple Machines has them: `deletemsg`, `removetopic2`. */
const ACTING = new RegExp(
  `^(?:\\w+[.:/_-])?(?:${REMOVES}|del|drop|trash|kill|${CHANGES})(?:[._-]?(?:id|item|post|page|user|comment|file|entry|account|selected|msg|message|topic|thread|all))?2?$`,
  'iu',
);
/** Parameters that remove what their value names: `?delete=7`, `?remove_item=a1b2`. */
const SWITCH = /^(?:del|delete|remove|destroy|erase)(?:[-_]?(?:id|item|post|user|comment|file|row|entry|coupon))?$/i;
/**
 * Proofs that a site gives only to addresses that change something, so that no other site can name them: of WordPress, DokuWiki, Moodle, MyBB,
 * XenForo, Magento, phpBB, Django, Rails, ASP.NET, Spring and others. Names that systems write into each of their addresses (`token`,
 * `user_token`, `_token`) say nothing.
 */
const PROOF =
  /^(?:_?wp_?nonce|_ajax_nonce|sectok|sesskey|my_post_key|_xftoken|form_?key|form_?token|atl_token|securitytoken|csrf_?middleware_?token|authenticity_token|__requestverificationtoken|[_-]{0,2}[cx]srf(?:[_-]?(?:token|key|hash|name|value|p))?)$/i;
/** Joomla's name of the proof is the proof. */
const PROOF_NAME = /^[\da-f]{32}$/;

/** Longer names, values and parts of paths are no words for an action. */
const LENGTH = 60;

/** Addresses with more parts are traps. */
const SEGMENTS = 24;

/** The reason why a visit to an address would change something, in words for a record; null where there is none. */
export function actingRule(address: string): string | null {
  const url = parsedUrl(address);
  if (url === null) return null;
  for (const [name, value] of queryPairs(url.search)) {
    if (name.length > LENGTH) continue;
    if (value !== '' && PROOF.test(name)) return `it would change something: it has the proof ?${name}`;
    if (value === '1' && PROOF_NAME.test(name)) return 'it would change something: it has a proof';
    if (ACTION.test(name) && value.length <= LENGTH && ACTING.test(value))
      return `it would change something: ?${name}=${value}`;
    if (SWITCH.test(name) && !/^(?:0|false|no)$/i.test(value)) return `it would change something: ?${name}`;
  }
  const word = actingSegment(url);
  return word === null ? null : `it would change something: /${word}`;
}

function actingSegment({ pathname, search }: URL): string | null {
  const named = /[?&]id=/i.test(search);
  const segments = pathname.split('/', SEGMENTS).map(readable);
  for (const [index, segment] of segments.entries()) {
    if (segment.length > LENGTH) continue;
    if (MANUAL.test(segment)) return null;
    if (REMOVING.test(segment)) return segment;
    const namesThing = named || isId(segments[index - 1]) || isId(segments[index + 1]);
    if (namesThing && CHANGING.test(segment)) return segment;
  }
  return null;
}

function isId(segment = ''): boolean {
  return segment.length <= LENGTH && ID.test(segment);
}

function readable(segment: string): string {
  if (segment.length > 6 * LENGTH || !/%[89A-F]/i.test(segment)) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // not in UTF-8
  }
}
