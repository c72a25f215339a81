/** Chooses the action for a consent dialog that was found. */
import type { ConsentMode } from '../../model/consent.ts';

/** A dialog as the engine reports it. */
interface FoundDialog {
  /** Name of the rule that found it. */
  readonly name: string;
  /** Facts of that rule; null if the rule is a program of the engine, which can reject and accept. */
  readonly rule: ConsentRule | null;
}

export interface ConsentRule {
  /** It hides the dialog instead of rejecting. */
  readonly hides: boolean;
  /** It has steps that accept. */
  readonly accepts: boolean;
  /** It detects a dialog by its visibility, not by its presence. */
  readonly sees: boolean;
}

/** `look`: see whether the engine has hidden it already. `nothing`: it stays as it is. */
type ConsentAction = 'optOut' | 'optIn' | 'look' | 'nothing';

/** Dialogs that no rule knows: the engine names them by the best button that it finds. */
const UNKNOWN_DIALOG = 'HEURISTIC';
const WITH_REJECT_BUTTON = 'HEURISTIC-REJECT';

/** Was the dialog found by its words alone? The engine then reports its click, not the effect. */
export function isFoundByWords(name: string): boolean {
  return name.startsWith(UNKNOWN_DIALOG);
}

/** Is an answered dialog that was found again still visible? */
export function isStillSeen({ rule }: FoundDialog): boolean {
  return rule === null || rule.sees;
}

/** The engine has one action for a dialog found by its words: it clicks the button that gave the dialog its name. */
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
