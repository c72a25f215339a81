import { describe, expect, it } from 'vitest';
import { AnswerPlan, readAnswers } from '../../../../src/fetch/static/answer-plan.ts';
import type { Page } from '../../../../src/model/page.ts';
import { anchorOf, pageOf } from '../../../support/page.ts';

const SITE = 'http://a.test';

/** A page as a browser shows it, with what it asked; and its markup. */
function seen(
  id: number,
  { answer = {}, isAsked = true, links = [] as readonly string[] } = {},
): readonly [Page, Page] {
  const url = `${SITE}/p/${id}`;
  const api = `${SITE}/api/${id}`;
  const text = JSON.stringify({ id, name: `Thing number ${id}`, next: `t${id + 1}`, ...answer });
  const request = anchorOf(api, url, { kind: 'request', context: 'fetch' });
  const shown = [`/p/t${id + 1}`, ...links].map((href) => anchorOf(href, url));
  const rendered = pageOf(url, {
    text: `Thing number ${id}`,
    foundLinks: isAsked ? [request, ...shown] : [],
    jsonAnswers: isAsked ? [{ url: api, text }] : [],
  });
  return [rendered, pageOf(url, { rendered: false, text: '', foundLinks: [] })];
}

function learnt(plan: AnswerPlan, ...ids: readonly number[]): AnswerPlan {
  for (const id of ids) plan.learn(...seen(id));
  return plan;
}

describe('what the pages of a cluster take from an API', () => {
  it('is known after two pages: the addresses, their lines, links and texts', () => {
    const plan = learnt(new AnswerPlan(), 1);
    expect(plan.addressesOf(`${SITE}/p/9`)).toBeNull();
    expect(plan.learn(...seen(2))).toBe(false);
    expect(plan.addressesOf(`${SITE}/p/9`)).toEqual([`${SITE}/api/9`]);
    const [request] = plan.requestLinks([`${SITE}/api/9`], `${SITE}/p/9`);
    expect(request).toMatchObject({ href: `${SITE}/api/9`, kind: 'request', context: 'fetch', base: `${SITE}/p/9` });
    const texts = [JSON.stringify({ id: 9, name: 'Thing number 9', next: 't10' })];
    const read = readAnswers({ texts, base: `${SITE}/p/9`, requested: [`${SITE}/api/9`], rules: plan.rules });
    expect(read?.links.map(({ href }) => href)).toEqual(['/p/t10']);
    expect(read?.text).toBe('Thing number 9');
    expect(read?.traits).toEqual(['0/id', '0/name', '0/next']);
  });

  it('changes where a page makes more of an answer, and is given up where pages keep doing so', () => {
    const plan = learnt(new AnswerPlan(), 1, 2, 3);
    for (let id = 4; id < 11; id += 1) {
      expect(plan.isGivenUp).toBe(false);
      expect(plan.learn(...seen(id, { answer: { [`f${id}`]: `x${id}` }, links: [`/only/x${id}`] }))).toBe(true);
    }
    expect(plan.isGivenUp).toBe(true);
    expect(plan.addressesOf(`${SITE}/p/9`)).toBeNull();
  });

  it('is given up where pages in a row ask otherwise, and not where single ones do', () => {
    const plan = learnt(new AnswerPlan(), 1, 2);
    for (let id = 3; id < 12; id += 2) {
      expect(plan.learn(...seen(id, { isAsked: false }))).toBe(true);
      learnt(plan, id + 1);
    }
    expect(plan.isGivenUp).toBe(false);
    for (let id = 20; id < 23; id += 1) plan.learn(...seen(id, { isAsked: false }));
    expect(plan.isGivenUp).toBe(true);
  });

  it('keeps of its pages no more than so many characters, and holds nothing of a page with more links than that', () => {
    const many = Array.from({ length: 3000 }, (_, n) => `/${'long/'.repeat(40)}${n}`);
    const plan = learnt(new AnswerPlan(), 1, 2);
    for (const id of [3, 4, 5]) expect(plan.learn(...seen(id, { links: many }))).toBe(true);
    expect(plan.isGivenUp).toBe(true);
  });

  it('is not learnt of answers that are too large to be read beside the crawl', () => {
    const plan = new AnswerPlan();
    const large = { answer: { body: 'x'.repeat(300_000) } };
    for (const id of [1, 2, 3]) plan.learn(...seen(id, large));
    expect(plan.isGivenUp).toBe(true);
  });
});
