import { describe, expect, it } from 'vitest';
import { AnswerPlan, readAnswers, type LearntPlan } from '../../../../src/fetch/static/answer-plan.ts';
import { ANSWERED_SITE as SITE, answeredPage, learntFrom } from '../../../support/answered-page.ts';

/** @throws if nothing was learnt */
function learntBy({ learnt }: AnswerPlan): LearntPlan {
  if (learnt === null) throw new Error('nothing was learnt');
  return learnt;
}

describe('what the pages of a cluster take from an API', () => {
  it('is known after two pages: the addresses, their lines, links and texts', () => {
    const plan = learntFrom(new AnswerPlan(), 1);
    expect(plan.addressesOf(`${SITE}/p/9`)).toBeNull();
    expect(plan.learn(...answeredPage(2))).toBe(false);
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
    const plan = learntFrom(new AnswerPlan(), 1, 2, 3);
    for (let id = 4; id < 11; id += 1) {
      expect(plan.isGivenUp).toBe(false);
      expect(plan.learn(...answeredPage(id, { answer: { [`f${id}`]: `x${id}` }, links: [`/only/x${id}`] }))).toBe(true);
    }
    expect(plan.isGivenUp).toBe(true);
    expect(plan.addressesOf(`${SITE}/p/9`)).toBeNull();
  });

  it('is given up where pages in a row ask otherwise, and not where single ones do', () => {
    const plan = learntFrom(new AnswerPlan(), 1, 2);
    for (let id = 3; id < 12; id += 2) {
      expect(plan.learn(...answeredPage(id, { isAsked: false }))).toBe(true);
      learntFrom(plan, id + 1);
    }
    expect(plan.isGivenUp).toBe(false);
    for (let id = 20; id < 23; id += 1) plan.learn(...answeredPage(id, { isAsked: false }));
    expect(plan.isGivenUp).toBe(true);
  });

  it('keeps of its pages no more than so many characters, and holds nothing of a page with more links than that', () => {
    const many = Array.from({ length: 3000 }, (_, n) => `/${'long/'.repeat(40)}${n}`);
    const plan = learntFrom(new AnswerPlan(), 1, 2);
    for (const id of [3, 4, 5]) expect(plan.learn(...answeredPage(id, { links: many }))).toBe(true);
    expect(plan.isGivenUp).toBe(true);
  });

  it('is not learnt of answers that are too large to be read beside the crawl', () => {
    const plan = new AnswerPlan();
    const large = { answer: { body: 'x'.repeat(300_000) } };
    for (const id of [1, 2, 3]) plan.learn(...answeredPage(id, large));
    expect(plan.isGivenUp).toBe(true);
  });

  it('is taken over from others where too little is known here, with their links and what both show', () => {
    const theirs = learntFrom(new AnswerPlan(), 1, 2);
    const learnt = learntBy(theirs);
    const [fresh, begun] = [new AnswerPlan(), learntFrom(new AnswerPlan(), 5)];
    for (const plan of [fresh, begun]) {
      expect(plan.addressesOf(`${SITE}/p/9`)).toBeNull();
      plan.adopt(learnt);
      expect(plan.addressesOf(`${SITE}/p/9`)).toEqual([`${SITE}/api/9`]);
      expect(plan.requestLinks([`${SITE}/api/9`], `${SITE}/p/9`)).toHaveLength(1);
      expect(plan.rules).toEqual(theirs.rules);
    }
    fresh.adopt(learnt);
    expect(fresh.rules).toEqual(theirs.rules);
  });

  it('keeps what is known here for certain, and adds the links that others found', () => {
    const plan = learntFrom(new AnswerPlan(), 1, 2);
    const theirs = new AnswerPlan();
    for (const id of [3, 4]) theirs.learn(...answeredPage(id, { answer: { far: `x${id}` }, links: [`/far/x${id}`] }));
    const learnt = learntBy(theirs);
    const elsewhere = { ...learnt.addresses, requests: [] };
    plan.adopt({ ...learnt, addresses: elsewhere, shown: [] });
    expect(plan.addressesOf(`${SITE}/p/9`)).toEqual([`${SITE}/api/9`]);
    expect(plan.rules.links.map(({ before }) => before)).toEqual(['/p/', '/far/']);
    expect([...plan.rules.shown]).toEqual([]);
  });

  it('says nothing where it knows nothing, or is given up', () => {
    expect(new AnswerPlan().learnt).toBeNull();
    const plan = learntFrom(new AnswerPlan(), 1, 2);
    for (let id = 20; id < 23; id += 1) plan.learn(...answeredPage(id, { isAsked: false }));
    expect(plan.learnt).toBeNull();
  });
});
