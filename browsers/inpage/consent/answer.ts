/**
 * Tells the buttons that answer a consent dialog, be it shown or hidden. Whoever explores a page uses none of them: the site would remember
 * the answer, and later pages would be those of a reader who gave it.
 */
import { composedParent } from '../composed-tree.ts';
import { attribute, localNameOf, select } from '../safe-dom.ts';

/** Elements from the button up that are looked at (arbitrary; dialogs nest less deep). */
const HEIGHT = 15;
/** Ids and classes of dialogs: words for their subject, and the names of their makes. */
const DIALOG =
  /cookie|consent|gdpr|rgpd|dsgvo|ccpa|onetrust|optanon|cybot|didomi|usercentrics|\btruste[-_]|trustarc|iubenda|cmplz|\bcky-|qc-cmp|sp_message|tarteaucitron|klaro|axeptio|osano|\bcmp-?(?:box|wrapper)/i;
/** Elements of pages: what holds them is no dialog, whatever its class says (`has-cookie-banner`). */
const CONTENT = 'main,nav,[role=main]';
const ANSWER =
  /^\W*(?:accept|agree|i agree|allow|enable|reject|decline|deny|refuse|disable|ok\b|okay|yes\b|no\b|got it|i understand|understood|only |save|confirm|continue|dismiss|close|akzept|zustimm|ablehn|alle\b|nur |erlaub|auswahl|speicher|verstanden|einverstanden|accepter|refuser|autoriser|tout |enregistrer|continuer|aceptar|rechazar|permitir|guardar|accetta|rifiuta|consenti|salva|accepteren|weiger|akkoord|toestaan|alles |opslaan|aceitar|rejeitar|salvar|akceptuj|zaakceptuj|odrzu|zezw|zapisz|godk|acceptera|neka|godta|tillad|tillåt|afvis)|^[^\p{L}]*(?:принять|согласен|отклонить|同意|接受|拒绝|拒絕|許可|拒否)|^\s*[x×✕✖]\s*$/iu;

/** @param words on the button */
export function answersConsent(button: Element, words: string): boolean {
  return ANSWER.test(words) && isInConsentDialog(button);
}

export function isInConsentDialog(element: Element): boolean {
  let at: Element | null = element;
  for (let height = 0; at !== null && height < HEIGHT; height++, at = composedParent(at)) if (isDialog(at)) return true;
  return false;
}

const known = new WeakMap<Element, boolean>();

function isDialog(element: Element): boolean {
  let is = known.get(element);
  if (is === undefined) {
    // scripts write such words on the document's own elements, on pages without a dialog, too
    const named =
      !/^(?:html|body)$/.test(localNameOf(element)) &&
      DIALOG.test(`${attribute(element, 'id') ?? ''} ${attribute(element, 'class') ?? ''}`);
    is = named && select(element, CONTENT).length === 0;
    known.set(element, is);
  }
  return is;
}
