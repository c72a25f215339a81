import { expect, test } from 'vitest';
import { consentAction, isFoundByWords, isStillSeen } from '../../../../src/core/consent/consent-action.ts';

const rule = { hides: false, accepts: true, sees: true };
const program = null;

test.each([
  ['leave', 'Adroll', rule, 'nothing'],
  ['reject', 'Adroll', rule, 'optOut'],
  ['accept', 'Adroll', rule, 'optIn'],
  ['hide', 'Adroll', rule, 'look'],
  // a program of the engine handles both answers
  ['reject', 'Cookiebot', program, 'optOut'],
  ['accept', 'Cookiebot', program, 'optIn'],
  // a rule without steps would finish at once
  ['accept', 'auto_DE_x', { hides: false, accepts: false, sees: true }, 'nothing'],
  // the name tells which button would be clicked
  ['reject', 'HEURISTIC-REJECT', program, 'optOut'],
  ['reject', 'HEURISTIC-TIER1', program, 'nothing'],
  ['reject', 'HEURISTIC-TIER2', program, 'nothing'],
  ['accept', 'HEURISTIC-REJECT', program, 'nothing'],
  ['accept', 'HEURISTIC-TIER2', program, 'optOut'],
  ['hide', 'HEURISTIC-REJECT', program, 'look'],
] as const)('where %s is asked for, a dialog of %s (%j) gets: %s', (mode, name, of, action) => {
  expect(consentAction(mode, { name, rule: of })).toBe(action);
});

test('a dialog that no rule knows is told by its name', () => {
  expect(['HEURISTIC-REJECT', 'HEURISTIC-TIER2', 'Adroll'].map(isFoundByWords)).toEqual([true, true, false]);
});

test('a dialog that is found again is still seen, unless its rule only looks whether it is there', () => {
  expect(isStillSeen({ name: 'Adroll', rule })).toBe(true);
  expect(isStillSeen({ name: 'Cookiebot', rule: program })).toBe(true);
  expect(isStillSeen({ name: 'wpcc', rule: { ...rule, sees: false } })).toBe(false);
});
