/** Chooses the forms that are sent, and the button of each. Pure. */
import type { FormFacts } from '../../model/page-actions.ts';
import { destructionOf } from './destructive-action.ts';

export interface PlannedForm {
  readonly facts: FormFacts;
  /** Index of the button that is pressed; null for Enter. */
  readonly button: number | null;
  /** 0 for a form of the page, 1 for one that came by sending it, and so on. */
  readonly step: number;
  /** The words on the button. */
  readonly words: string;
}

/** Forms of one kind that are sent. */
const SAMPLE = 2;
/** Steps of one form. */
const STEPS = 6;
const BACKWARDS =
  /^\W*(?:back|previous|prev|cancel|close|zurück|abbrechen|retour|annuler|atrás|indietro|voltar|vorige|wstecz|назад|上一步|戻る)/i;

export class FormPlan {
  readonly #kinds = new Map<string, number>();
  readonly #waiting: PlannedForm[] = [];

  reveal(forms: readonly FormFacts[], step: number): void {
    if (step > STEPS) return;
    const planned = forms.flatMap((facts): PlannedForm[] => {
      const kind = `${facts.template} ${facts.buttons.map(({ words }) => words).join()} ${facts.fields.length}`;
      const times = this.#kinds.get(kind) ?? 0;
      this.#kinds.set(kind, times + 1);
      if (times >= SAMPLE || (step > 0 && times > 0) || endsSomething(ofForm(facts))) return [];
      const button = buttonOf(facts);
      if (button === null && facts.buttons.length > 0) return [];
      return [{ facts, button, step, words: button === null ? '' : (facts.buttons[button]?.words ?? '') }];
    });
    // the next step before the next form
    this.#waiting.unshift(...planned);
  }

  next(): PlannedForm | null {
    return this.#waiting.shift() ?? null;
  }
}

function endsSomething(wording: Parameters<typeof destructionOf>[0]): boolean {
  const destruction = destructionOf(wording);
  return destruction !== null && destruction !== 'commits';
}

function ofForm({ words, marks, action }: FormFacts): { words: string; marks: string } {
  return { words, marks: `${marks} ${action}` };
}

/** The first harmless button that leads on; one that says that it sends goes before others. */
function buttonOf({ buttons }: FormFacts): number | null {
  const usable = buttons
    .map((button, index) => ({ ...button, index, destruction: destructionOf(button) }))
    .filter((button) => !endsSomething(button) && !BACKWARDS.test(button.words));
  return (usable.find(({ destruction }) => destruction === 'commits') ?? usable[0])?.index ?? null;
}
