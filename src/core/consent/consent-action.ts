/** What is done with a consent dialog that was found. */
import type { ConsentMode } from '../../model/consent.ts';

/** A dialog as the engine reports it. */
interface FoundDialog {
  /** Of the rule that found it. */
  readonly name: string;
  /** Of its rule; null where the rule is a program of the engine, which knows both answers. */
  readonly rule: ConsentRule | null;
}

export interface ConsentRule {
  /** It hides the dialog where it should reject. */
  readonly hides: boolean;
  /** It has steps that accept. */
  readonly accepts: boolean;
  /** It finds a dialog by whether it is seen, and not by whether it is there. */
  readonly sees: boolean;
}

/** `look`: see whether the engine has hidden it already. `nothing`: it stays as it is. */
type ConsentAction = 'optOut' | 'optIn' | 'look' | 'nothing';

/** Dialogs that no rule knows: the engine names them by the best button that it finds. */
const UNKNOWN_DIALOG = 'HEURISTIC';
const WITH_REJECT_BUTTON = 'HEURISTIC-REJECT';

/** Was the dialog found by its words alone? The engine says then that it has clicked, and not that this helped. */
export function isFoundByWords(name: string): boolean {
  return name.startsWith(UNKNOWN_DIALOG);
}

/** Is a dialog that was found once more, when it had been answered, still to be seen? */
export function isStillSeen({ rule }: FoundDialog): boolean {
  return rule === null || rule.sees;
}

/** For a dialog found by its words the engine has one action, which clicks the button that it was named by. */
export function consentAction(mode: ConsentMode, { name, rule }: FoundDialog): ConsentAction {
  switch (mode) {
    case 'leave':
      return 'nothing';
    case 'hide':
      return 'look';
    case 'reject':
      return isFoundByWords(name) && name !== WITH_REJECT_BUTTON ? 'nothing' : 'optOut';
    case 'accept':
      if (isFoundByWords(name)) return name === WITH_REJECT_BUTTON ? 'nothing' : 'optOut';
      return rule === null || rule.accepts ? 'optIn' : 'nothing';
  }
}
