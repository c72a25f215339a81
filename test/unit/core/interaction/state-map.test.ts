import { expect, test } from 'vitest';
import { StateMap } from '../../../../src/core/interaction/state-map.ts';

const pager = (): StateMap => {
  const map = new StateMap();
  for (let page = 1; page <= 20; page++) map.learn(String(page), [page - 1, page, page + 1].map(String));
  return map;
};

test('the shortest way to an element goes by what was there after each control', () => {
  expect(pager().wayTo('9', ['5', '6', 'other'])).toEqual(['6', '7', '8']);
});

test('one step where a control that is there led to it', () => expect(pager().wayTo('9', ['8'])).toEqual(['8']));

test('none where nothing known leads there, or only by a long way', () => {
  expect(pager().wayTo('nowhere', ['5'])).toBeNull();
  expect(pager().wayTo('9', ['other'])).toBeNull();
  expect(pager().wayTo('19', ['5'])).toBeNull();
});

test('what a control led to last counts', () => {
  const map = new StateMap();
  map.learn('menu', ['a']);
  map.learn('menu', ['b']);
  expect(map.wayTo('a', ['menu'])).toBeNull();
  expect(map.wayTo('b', ['menu'])).toEqual(['menu']);
});
