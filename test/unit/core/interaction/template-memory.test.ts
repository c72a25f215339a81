import { expect, test } from 'vitest';
import { TemplateMemory } from '../../../../src/core/interaction/template-memory.ts';

const ACTIONS = { most: 100, few: 8 };

test('a kind of page that brought nothing new three times gets few actions, others get all', () => {
  const memory = new TemplateMemory();
  memory.learn('http://a.test/item/1', ['http://a.test/x']);
  for (let page = 2; page < 4; page++) memory.learn(`http://a.test/item/${page}`, ['http://a.test/x']);
  expect(memory.budget('http://a.test/item/4', ACTIONS)).toBe(100);
  memory.learn('http://a.test/item/4', []);
  expect(memory.budget('http://a.test/item/5', ACTIONS)).toBe(8);
  expect(memory.budget('http://a.test/other/5', ACTIONS)).toBe(100);
});

test('one new target gives a kind of page all its actions back', () => {
  const memory = new TemplateMemory();
  for (let page = 0; page < 5; page++) memory.learn(`http://a.test/item/${page}`, []);
  memory.learn('http://a.test/item/9', ['http://a.test/new']);
  expect(memory.budget('http://a.test/item/10', ACTIONS)).toBe(100);
});

test('a kind of page that brings nothing is looked at in full now and then', () => {
  const memory = new TemplateMemory();
  const budgets = Array.from({ length: 60 }, (_, page) => {
    memory.learn(`http://a.test/item/${page}`, []);
    return memory.budget(`http://a.test/item/${page}`, ACTIONS);
  });
  expect(budgets.filter((budget) => budget === 100)).toHaveLength(4);
});

test('pages that bring new targets get all their actions, however many targets came before', () => {
  const memory = new TemplateMemory();
  for (let page = 0; page < 310; page++) {
    const own = Array.from({ length: 10 }, (_, target) => `http://a.test/${page}/${target}`);
    memory.learn(`http://a.test/item/${page}`, ['http://a.test/x', ...own]);
  }
  expect(memory.budget('http://a.test/item/311', ACTIONS)).toBe(100);
  for (let page = 0; page < 3; page++) memory.learn(`http://a.test/item/${page}`, ['http://a.test/x']);
  expect(memory.budget('http://a.test/item/311', ACTIONS)).toBe(8);
});
