import { expect, test } from 'vitest';
import type { PlannedAction } from '../../../../src/core/interaction/planned-action.ts';
import { unusedControls } from '../../../../src/core/interaction/unused-controls.ts';
import type { ActionCandidate } from '../../../../src/model/page-actions.ts';

const planned = (
  candidate: Partial<ActionCandidate> & { readonly key: string },
  changes: Partial<PlannedAction> = {},
): PlannedAction => ({
  candidate: {
    ...{ template: '', words: candidate.key, marks: '', actions: ['click'], options: 0, keyTurns: 0 },
    ...{ visible: true, listens: true, guessed: false, sends: false },
    ...candidate,
  },
  ...{ action: 'click', turn: 0, via: [], from: null, restores: false, isDestructive: false, name: '' },
  ...changes,
});

test('controls that were not used are counted once each, and the first ones are named', () => {
  const pending = ['More', 'Next', 'Menu', 'Last', 'More'].map((key) => planned({ key }));
  expect(unusedControls(pending, 'time')).toEqual({ count: 4, limit: 'time', names: ['More', 'Next', 'Menu'] });
  expect(unusedControls([planned({ key: 'k', words: 'w'.repeat(50) })], 'actions')?.names).toEqual(['w'.repeat(40)]);
});

test('nothing is missing where no limit ended the use, or where only doubtful actions were left', () => {
  expect(unusedControls([planned({ key: 'More' })], null)).toBeNull();
  const doubtful = [
    planned({ key: 'a' }, { action: 'hover' }),
    planned({ key: 'b', guessed: true }),
    planned({ key: 'Delete' }, { isDestructive: true }),
  ];
  expect(unusedControls(doubtful, 'time')).toBeNull();
});
