import { expect, test } from 'vitest';
import { ActionMemory } from '../../../../src/core/interaction/action-memory.ts';
import { actionName, type PlannedAction } from '../../../../src/core/interaction/planned-action.ts';
import type { ActionCandidate } from '../../../../src/model/page-actions.ts';

const action = (words: string, via: readonly PlannedAction[] = [], template = words): PlannedAction => {
  const candidate: ActionCandidate = {
    ...{ key: words, template, words, marks: '', actions: ['click'], options: 0, keyTurns: 0 },
    ...{ visible: true, listens: true, guessed: false, sends: false },
  };
  const name = actionName(candidate, 'click', via);
  return { candidate, action: 'click', turn: 0, via, from: null, restores: false, isDestructive: false, name };
};

/** Uses a page; each action with the targets that it leads to, as long as it is not left out. @returns the words of those that were done */
function used(memory: ActionMemory, url: string, actions: readonly (readonly [PlannedAction, readonly string[]])[]) {
  const page = memory.onPage(url);
  for (const [planned] of actions) page.revealed(planned);
  const done: string[] = [];
  for (const [planned, targets] of actions) {
    const last = planned.via.at(-1);
    if (last !== undefined && !done.includes(last.candidate.words)) continue; // it was not revealed
    if (page.isVain(planned)) page.leftOut(planned);
    else {
      page.done(planned, targets);
      done.push(planned.candidate.words);
    }
  }
  page.end([]);
  return done;
}

const OPEN = action('Open');

test('an action is left out after three pages on which it led nowhere else, and done again when ten more have passed', () => {
  const memory = new ActionMemory();
  const done = Array.from({ length: 40 }, (_, page) => used(memory, `http://a.test/${page}`, [[OPEN, ['/x']]]).length);
  expect(done.flatMap((times, page) => (times > 0 ? [page] : []))).toEqual([0, 1, 2, 3, 14, 25, 36]);
  expect(used(memory, 'http://b.test/', [[OPEN, ['/x']]])).toEqual(['Open']);
});

test('an action that brings something new each time is done each time; one that never brings anything is left out after five pages', () => {
  const memory = new ActionMemory();
  const done = Array.from({ length: 9 }, (_, page) =>
    used(memory, `http://a.test/${page}`, [
      [OPEN, [`/x${page}`]],
      [action('Copy'), []],
    ]),
  );
  expect(done.map((words) => words.join(' '))).toEqual([...Array(5).fill('Open Copy'), ...Array(4).fill('Open')]);
});

test('what an action reveals counts as its own: it is done as long as that brings something new', () => {
  const memory = new ActionMemory();
  const inner = action('Details', [OPEN]);
  const uses = (page: number, to: string) =>
    used(memory, `http://a.test/${page}`, [
      [OPEN, []],
      [inner, [to]],
    ]);
  for (let page = 0; page < 8; page++) expect(uses(page, `/x${page}`)).toEqual(['Open', 'Details']);
  for (let page = 8; page < 11; page++) uses(page, '/x0');
  expect(uses(11, '/x0')).toEqual([]);
});

test('an action that leads elsewhere on each page is done on each, though others have led there before', () => {
  const memory = new ActionMemory();
  const all = Array.from({ length: 9 }, (_, order) => `/order/${order}`);
  used(memory, 'http://a.test/orders', [[action('Next'), all]]);
  for (const order of all) expect(used(memory, `http://a.test${order}`, [[OPEN, [order]]])).toEqual(['Open']);
});

test('an action that there was no time to follow up is not taken for one that brings nothing', () => {
  const memory = new ActionMemory();
  for (let page = 0; page < 9; page++) {
    const there = memory.onPage(`http://a.test/${page}`);
    there.done(OPEN, []);
    there.end([action('Later', [OPEN])]);
  }
  expect(used(memory, 'http://a.test/x', [[OPEN, []]])).toEqual(['Open']);
});

test('elements with the same words are tried by two; they are all used where one of these brings something new', () => {
  const memory = new ActionMemory();
  const rows = Array.from({ length: 4 }, () => action('Show'));
  for (let page = 0; page < 4; page++)
    used(
      memory,
      `http://a.test/${page}`,
      rows.map((row) => [row, ['/x']]),
    );
  expect(
    used(
      memory,
      'http://a.test/4',
      rows.map((row) => [row, ['/x']]),
    ),
  ).toHaveLength(2);
  expect(
    used(
      memory,
      'http://a.test/5',
      rows.map((row, at) => [row, [`/y${at}`]]),
    ),
  ).toHaveLength(4);
});

test('of a kind of elements that brought nothing twelve times one is used on each page, until one brings something', () => {
  const memory = new ActionMemory();
  const kind = (page: number, to: readonly string[] = []) =>
    Array.from({ length: 4 }, (_, at) => [action(`p${page} ${at}`, [], 'kind'), to] as const);
  const done = Array.from({ length: 5 }, (_, page) => used(memory, `http://a.test/${page}`, kind(page)).length);
  expect(done).toEqual([4, 4, 4, 1, 1]);
  expect(used(memory, 'http://a.test/5', kind(5, ['/x']))).toHaveLength(4);
  expect(used(memory, 'http://a.test/6', kind(6))).toHaveLength(4);
});

test('the same page again shows nothing of others', () => {
  const memory = new ActionMemory();
  for (let time = 0; time < 9; time++) expect(used(memory, 'http://a.test/', [[OPEN, ['/x']]])).toEqual(['Open']);
});

test('an element without words or marks is done on each page', () => {
  const memory = new ActionMemory();
  for (let page = 0; page < 9; page++)
    expect(used(memory, `http://a.test/${page}`, [[action(''), ['/x']]])).toEqual(['']);
});
