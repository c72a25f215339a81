/** Pages that scripts fill from an API: each requests its own answer, and links to the next page, which the answer names. */
import type { AnswerPlan } from '../../src/fetch/static/answer-plan.ts';
import type { Page } from '../../src/model/page.ts';
import { anchorOf, pageOf } from './page.ts';

export const ANSWERED_SITE = 'http://a.test';

/** A page as a browser shows it, with its requests; and its markup alone. */
export function answeredPage(
  id: number,
  { answer = {}, isAsked = true, links = [] as readonly string[] } = {},
): readonly [rendered: Page, plain: Page] {
  const url = `${ANSWERED_SITE}/p/${id}`;
  const api = `${ANSWERED_SITE}/api/${id}`;
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

export function learntFrom(plan: AnswerPlan, ...ids: readonly number[]): AnswerPlan {
  for (const id of ids) plan.learn(...answeredPage(id));
  return plan;
}
