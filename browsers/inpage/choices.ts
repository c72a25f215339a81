/** The choices of a list, without disabled ones and without the invitation to choose. */
import { isPlaceholder } from '../../src/core/interaction/placeholder.ts';
import { attribute, folded, select, textContentOf } from './safe-dom.ts';

const TEXT = 200;
const matches = Element.prototype.matches;
/** Choices read of one list: lists of countries are long, and no more are tried. */
const LIMIT = 500;

interface ListedChoice {
  readonly index: number;
  readonly value: string;
}

export function choicesOf(list: Element): ListedChoice[] {
  const choices: ListedChoice[] = [];
  let index = -1;
  for (const option of select(list, 'option')) {
    index += 1;
    if (choices.length >= LIMIT) break;
    const text = folded(attribute(option, 'label') ?? textContentOf(option) ?? '', TEXT);
    const value = attribute(option, 'value') ?? text;
    if (!matches.call(option, ':disabled') && !isPlaceholder({ index, value, text })) choices.push({ index, value });
  }
  return choices;
}
