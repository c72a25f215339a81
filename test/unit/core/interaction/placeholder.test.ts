import { expect, test } from 'vitest';
import { isPlaceholder } from '../../../../src/core/interaction/placeholder.ts';

test.each([
  '--',
  '—',
  '...',
  '-- Region --',
  'Region…',
  'Choose a country',
  'Select one',
  'Please select',
  'Bitte wählen',
  'Auswählen',
  'Choisissez',
  'Sélectionner',
  'Seleccione una opción',
  'Elige uno',
  'Scegli',
  'Escolha uma opção',
  'Kies een land',
  'Wybierz',
  'Выберите',
  '请选择',
  '選択してください',
])('%s at the head of a list chooses nothing', (text) => {
  expect(isPlaceholder({ index: 0, value: '0', text })).toBe(true);
  expect(isPlaceholder({ index: 0, value: text, text })).toBe(true);
});

test.each(['All', 'North', '1', '10 per page', 'Any colour', 'A–Z', '-5 °C', 'Ελλάδα', '北'])(
  '%s is a choice',
  (text) => {
    expect(isPlaceholder({ index: 0, value: text, text })).toBe(false);
  },
);

test('a choice without a value is none, wherever it stands; words are read at the head only', () => {
  expect(isPlaceholder({ index: 3, value: ' ', text: 'North' })).toBe(true);
  expect(isPlaceholder({ index: 3, value: 'select', text: 'Select Comfort' })).toBe(false);
});
