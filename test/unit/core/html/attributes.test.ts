import { expect, it } from 'vitest';
import { htmlAttributes } from '../../../../src/core/html/attributes.ts';
import { readHtml } from '../../../../src/core/html/tree.ts';

it('has what was written, and nothing that every object has', () => {
  const attributes = htmlAttributes({ href: '/a', class: '' });
  expect(attributes.names).toEqual(['href', 'class']);
  expect([...attributes]).toEqual([
    ['href', '/a'],
    ['class', ''],
  ]);
  expect(attributes.get('class')).toBe('');
  for (const name of ['constructor', 'toString', '__proto__', 'title']) {
    expect(attributes.get(name), name).toBeUndefined();
    expect(attributes.has(name), name).toBe(false);
  }
});

it('has the names that objects have where a document has them', () => {
  const [element] = readHtml('<p constructor="a" __proto__="b" valueOf id>').elements;
  expect([...(element?.attributes ?? [])]).toEqual([
    ['constructor', 'a'],
    ['valueof', ''],
    ['id', ''],
  ]);
});
