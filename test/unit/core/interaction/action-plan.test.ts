import { expect, test } from 'vitest';
import { ActionPlan, type Yield } from '../../../../src/core/interaction/action-plan.ts';
import type { PlannedAction } from '../../../../src/core/interaction/planned-action.ts';
import type { ActionCandidate } from '../../../../src/model/page-actions.ts';

const candidate = (key: string, changes: Partial<ActionCandidate> = {}): ActionCandidate => ({
  key,
  template: key,
  words: key,
  marks: '',
  actions: ['click'],
  options: 0,
  keyTurns: 0,
  visible: true,
  listens: true,
  guessed: false,
  sends: false,
  ...changes,
});

const NOTHING: Yield = { links: 0, changed: false, state: 's' };
const gives = (links: number, state = 's'): Yield => ({ links, changed: true, state });

/** The actions on a page, in order, as `key` or `key turn`; a page tells what each action yields and what exists then. */
function used(
  plan: ActionPlan,
  first: readonly ActionCandidate[],
  act: (planned: PlannedAction) => { readonly how: Yield; readonly now?: readonly ActionCandidate[] },
): string[] {
  const done: string[] = [];
  plan.reveal(first, []);
  const next = (): PlannedAction | null => plan.next() ?? (plan.takeLast() ? plan.next() : null);
  for (let planned = next(); planned !== null && done.length < 500; planned = next()) {
    done.push(planned.turn === 0 ? planned.candidate.key : `${planned.candidate.key} ${planned.turn}`);
    const { how, now } = act(planned);
    if (now !== undefined) plan.reveal(now, [...planned.via, planned], how.links);
    plan.ended(planned, how);
  }
  return done;
}

test('a click that brings links is repeated as long as it does, beyond a hundred times', () => {
  const done = used(new ActionPlan(false), [candidate('next')], ({ turn }) => ({
    how: turn < 120 ? gives(1) : NOTHING,
  }));
  expect(done).toHaveLength(121);
});

test('a list without end is left after three hundred pages', () => {
  const done = used(new ActionPlan(false), [candidate('more')], () => ({ how: gives(1) }));
  expect(done).toHaveLength(301);
});

test('a repetition goes on from the state that the click before it left', () => {
  const from: (string | null)[] = [];
  used(new ActionPlan(false), [candidate('next')], (planned) => {
    from.push(planned.from);
    return { how: planned.turn < 2 ? gives(1, `page ${planned.turn + 2}`) : NOTHING };
  });
  expect(from).toEqual([null, 'page 2', 'page 3']);
});

test('what reveals further rows that bring links is repeated, though it brings none itself', () => {
  const row = (page: number, at: number): ActionCandidate => candidate(`row ${page}.${at}`, { template: 'row' });
  const rows = (page: number): ActionCandidate[] => [row(page, 1), row(page, 2), candidate('next')];
  const done = used(new ActionPlan(false), rows(1), ({ candidate: { key }, turn }) => {
    if (key !== 'next') return { how: { links: 1, changed: true, state: null } };
    return turn < 3 ? { how: gives(0, `page ${turn + 2}`), now: rows(turn + 2) } : { how: NOTHING };
  });
  expect(done.filter((name) => name.startsWith('row'))).toHaveLength(8);
  expect(done.filter((name) => name.startsWith('next'))).toEqual(['next', 'next 1', 'next 2', 'next 3']);
});

test('what reveals elements of another kind is not repeated, nor is a number', () => {
  const menu = [candidate('item 1', { template: 'item' }), candidate('item 2', { template: 'item' })];
  const leads = { how: { links: 1, changed: true, state: null } };
  const opened = used(new ActionPlan(false), [candidate('row'), candidate('menu')], ({ candidate: { key } }) =>
    key === 'menu' ? { how: gives(0, 'open'), now: menu } : leads,
  );
  expect(opened).toEqual(['row', 'menu', 'item 1', 'item 2']);
  const rows = (page: number): ActionCandidate[] => [candidate(`row ${page}`, { template: 'row' }), candidate('2')];
  const turned = used(new ActionPlan(false), rows(1), ({ candidate: { key } }) =>
    key === '2' ? { how: gives(0, 'page 2'), now: rows(2) } : leads,
  );
  expect(turned).toEqual(['row 1', '2', 'row 2']);
});

test('a repetition that brings nothing says nothing of the rest of its kind', () => {
  const rest = Array.from({ length: 20 }, (_, at) =>
    candidate(`tab ${at} a`, { template: 'tab', words: `Tab ${'x'.repeat(at)}` }),
  );
  const done = used(new ActionPlan(false), rest, ({ turn }) => ({ how: turn === 0 ? gives(3) : NOTHING }));
  expect(done.filter((name) => name.endsWith('a'))).toHaveLength(20);
});

test('of a kind that brings nothing six are tried, of what only looks usable three', () => {
  const kind = (template: string, guessed: boolean): ActionCandidate[] =>
    Array.from({ length: 20 }, (_, at) => candidate(`${template}${at}`, { template, guessed }));
  const done = used(new ActionPlan(false), [...kind('a', false), ...kind('b', true)], () => ({ how: NOTHING }));
  expect(done.filter((name) => name.startsWith('a'))).toHaveLength(6);
  expect(done.filter((name) => name.startsWith('b'))).toHaveLength(3);
});

test('what has only a number on it is not repeated, and what is alike but for figures only twice in vain', () => {
  const numbers = [2, 3, 4].map((page) => candidate(`n${page}`, { template: 'n', words: String(page) }));
  const rows = [1, 2, 3, 4].map((row) => candidate(`r${row}`, { template: 'r', words: `Row ${row}` }));
  const done = used(new ActionPlan(false), [...numbers, ...rows], ({ turn }) => ({
    how: turn === 0 ? gives(1) : NOTHING,
  }));
  expect(done.toSorted()).toEqual(['n2', 'n3', 'n4', 'r1', 'r1 1', 'r2', 'r2 1', 'r3', 'r4']);
});

test('what led to another address is not repeated: it leads there again', () => {
  const done = used(new ActionPlan(false), [candidate('go')], () => ({ how: { ...gives(1), state: null } }));
  expect(done).toEqual(['go']);
});

test('in a state that another element brought, what has brought links is used again', () => {
  const next = candidate('next');
  const tabs = [candidate('films', { template: 'tab' }), candidate('games', { template: 'tab' })];
  let tab = 'books';
  let page = 1;
  const seen = new Set(['books 1']);
  used(new ActionPlan(false), [next, ...tabs], ({ candidate: { key }, restores, via }) => {
    if (restores) [tab, page] = [via.at(-1)?.candidate.key ?? 'books', 1];
    if (key === 'next') page = Math.min(4, page + 1);
    else [tab, page] = [key, 1];
    const isNew = !seen.has(`${tab} ${page}`);
    seen.add(`${tab} ${page}`);
    return { how: { ...gives(isNew ? 1 : 0), state: `${tab} ${page}` }, ...(isNew ? { now: [next, ...tabs] } : {}) };
  });
  expect([...seen].toSorted()).toEqual(
    ['books', 'films', 'games'].flatMap((one) => [1, 2, 3, 4].map((n) => `${one} ${n}`)),
  );
});

test('the pages of a list follow each other without end of depth, menus in menus end', () => {
  const page = (n: number): ActionCandidate => candidate(`p${n}`, { template: 'pager', words: String(n) });
  const pages = used(new ActionPlan(false), [page(1)], ({ candidate: { key } }) => {
    const n = Number(key.slice(1));
    return n < 60 ? { how: gives(1), now: [page(n + 1)] } : { how: NOTHING };
  });
  expect(pages).toHaveLength(60);
  const menus = used(new ActionPlan(false), [candidate('m1')], ({ candidate: { key }, turn }) =>
    turn > 0 ? { how: NOTHING } : { how: gives(0), now: [candidate(`m${Number(key.slice(1)) + 1}`)] },
  );
  expect(menus).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
});

test('what reads as if it did harm comes last and is marked, with what it reveals; what signs out never comes', () => {
  const all = [candidate('Delete'), candidate('Log out'), candidate('Show'), candidate('Save', { sends: true })];
  const isDestructive: string[] = [];
  const done = used(new ActionPlan(false), all, (planned) => {
    if (planned.isDestructive) isDestructive.push(planned.candidate.key);
    return planned.candidate.key === 'Delete' ? { how: gives(0), now: [candidate('Details')] } : { how: NOTHING };
  });
  expect(done).toEqual(['Show', 'Delete', 'Details']);
  expect(isDestructive).toEqual(['Delete', 'Details']);
});

test('where forms are sent, what sends is used like the rest, and what ends something last', () => {
  const all = [candidate('Delete'), candidate('Log out'), candidate('Save', { sends: true }), candidate('Show')];
  expect(used(new ActionPlan(true), all, () => ({ how: NOTHING }))).toEqual(['Save', 'Show', 'Delete']);
});

test('elements that listen to everything are all clicked before anything else is done with any of them', () => {
  const done: string[] = [];
  const buttons = ['menu', 'sort', 'row'].map((key) =>
    candidate(key, { actions: ['click', 'focus', 'key', 'press', 'double'], keyTurns: 1 }),
  );
  used(new ActionPlan(false), buttons, ({ action, candidate: { key } }) => {
    done.push(`${action} ${key}`);
    return { how: NOTHING };
  });
  expect(done.slice(0, 4)).toEqual(['click menu', 'click sort', 'click row', 'focus menu']);
  expect(done).toHaveLength(15);
});

test('a table that each click draws anew leaves the rest of the page its share of the budget', () => {
  // as data grids do it: each sort shows other rows, whose cells listen to everything and lead nowhere
  const cells = (sort: number): ActionCandidate[] =>
    Array.from({ length: 40 }, (_, at) =>
      candidate(`cell ${sort} ${at}`, { template: `column ${at % 4}`, actions: ['click', 'hover', 'key', 'leave'] }),
    );
  const hints = (sort: number): ActionCandidate[] =>
    Array.from({ length: 10 }, (_, at) => candidate(`hint ${sort} ${at}`, { guessed: true }));
  const sorts = [1, 2, 3].map((at) => candidate(`sort ${at}`, { template: 'sort' }));
  const done = used(new ActionPlan(false), [...sorts, candidate('pager')], ({ candidate: { key } }) => {
    if (key === 'pager') return { how: gives(10) };
    const sort = key.startsWith('sort') ? Number(key.slice(5)) : 0;
    return sort === 0 ? { how: NOTHING } : { how: gives(0), now: [...cells(sort), ...hints(sort)] };
  });
  expect(done.indexOf('pager')).toBeLessThan(30);
  // the rest is used all the same, in the end
  expect(done.some((key) => key.startsWith('hint'))).toBe(true);
});
