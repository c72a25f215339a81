/** All findings as one list: searched, filtered, ordered, in stretches. */
import type { ReportFindingRow, ReportData } from '../../src/model/report-data.ts';
import { element, link, outwards, pager, plural, spelt, valueIn } from './dom.ts';

const STRETCH = 50;
const SEVERITIES = ['error', 'warning', 'notice'];
/** Milliseconds without a key before the list follows. */
const PAUSE = 120;

export function listFindings(data: ReportData): void {
  const form = document.getElementById('finding-filter');
  const list = document.getElementById('finding-list');
  const groups = document.getElementById('finding-groups');
  if (!(form instanceof HTMLFormElement) || list === null || groups === null || data.findings.length === 0) return;
  form.hidden = false;
  list.tabIndex = -1;
  let group: number | null = null;
  let texts: readonly string[] | null = null;

  const chosen = (): readonly ReportFindingRow[] => {
    texts ??= data.findings.map((row) => searchText(row, data));
    const all = texts;
    const words = valueIn(form, 'text')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const [severity, category, standing] = ['severity', 'category', 'standing'].map((name) => valueIn(form, name));
    const rows = data.findings.filter((row, index) => {
      const rule = ruleOf(row, data);
      return (
        (group === null || row[0] === group) &&
        (severity === '' || row[1] === Number(severity)) &&
        (category === '' || rule?.category === category) &&
        (standing === '' || row[7] === Number(standing)) &&
        words.every((word) => all[index]?.includes(word) === true)
      );
    });
    return ordered(rows, valueIn(form, 'order'), data);
  };

  const show = (from: number, rows: readonly ReportFindingRow[]): void => {
    const head = element(
      'p',
      'muted',
      `${plural(rows.length, list.dataset['noun'] ?? '')}${group === null ? '' : ` of ${data.groups[group]?.[0] ?? ''}`}`,
    );
    const items = rows.slice(from, from + STRETCH).map((row) => item(row, data));
    const turn = (to: number): void => {
      show(to, rows);
      form.scrollIntoView();
    };
    list.replaceChildren(head, ...items, pager({ from, size: STRETCH, all: rows.length, place: list }, turn));
  };

  const update = (): void => {
    const asksNothing = group === null && [...new FormData(form).values()].every((value) => value === '');
    groups.hidden = !asksNothing;
    list.hidden = asksNothing;
    if (!asksNothing) show(0, chosen());
  };

  let timer = 0;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(update, PAUSE);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    update();
  });
  form.addEventListener('reset', () => {
    group = null;
    setTimeout(update);
  });
  for (const button of document.querySelectorAll<HTMLElement>('button.all')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      group = Number(button.dataset['group']);
      update();
      form.scrollIntoView();
      list.focus({ preventScroll: true }); // the button is hidden with the groups
    });
  }
}

function ruleOf(row: ReportFindingRow, { groups, rules }: ReportData): ReportData['rules'][number] | undefined {
  return rules[groups[row[0]]?.[1] ?? -1];
}

function searchText(row: ReportFindingRow, data: ReportData): string {
  const [group, , url, message, evidence, , sources] = row;
  const rule = ruleOf(row, data);
  return [
    message,
    data.urls[url],
    rule?.id,
    rule?.title,
    data.groups[group]?.[0],
    ...evidence.map(([, value]) => value),
    ...sources.map(([source, text]) => `${data.urls[source] ?? ''} ${text}`),
  ]
    .join('\n')
    .toLowerCase();
}

function ordered(rows: readonly ReportFindingRow[], order: string, data: ReportData): readonly ReportFindingRow[] {
  const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
  switch (order) {
    case 'pages':
      return [...rows].sort((one, other) => other[5] - one[5]);
    case 'url':
      return [...rows].sort((one, other) => byText(data.urls[one[2]] ?? '', data.urls[other[2]] ?? ''));
    case 'rule':
      return [...rows].sort((one, other) => byText(ruleOf(one, data)?.id ?? '', ruleOf(other, data)?.id ?? ''));
    default:
      return rows;
  }
}

function item(row: ReportFindingRow, data: ReportData): HTMLElement {
  const [, severity, url, message, evidence, pages, sources, standing, reason] = row;
  const rule = ruleOf(row, data);
  const name = SEVERITIES[severity] ?? '';
  const others = sources.filter(([source]) => source !== url);
  const more = pages - 1 - others.length;
  const ownText = sources.find(([source]) => source === url)?.[1] ?? '';
  return element(
    'div',
    'item',
    element(
      'div',
      'item-head',
      element('span', `chip ${name}`, name),
      element('span', 'group-title', rule?.title ?? ''),
      element('span', 'group-count', plural(pages, 'page')),
    ),
    element('p', 'message', message),
    element('p', 'where', link(data.urls[url] ?? '', data.origins), quotation(ownText)),
    others.length === 0
      ? null
      : element(
          'p',
          'others',
          'also ',
          ...others.flatMap(([source, text], index) => [
            index === 0 ? '' : ', ',
            link(data.urls[source] ?? '', data.origins),
            text === ownText ? null : quotation(text),
          ]),
          more > 0 ? ` and ${spelt(more)} more` : '',
        ),
    evidenceList(evidence),
    standing === 0 ? null : element('p', 'accepted', `${standing === 1 ? 'Accepted' : 'Was accepted'}: ${reason}`),
    rule === undefined ? null : ruleMore(rule),
  );
}

function quotation(text: string): HTMLElement | null {
  return text === '' ? null : element('span', 'muted', ` “${text}”`);
}

function evidenceList(evidence: ReportFindingRow[4]): HTMLElement | null {
  if (evidence.length === 0) return null;
  return element(
    'dl',
    'evidence',
    ...evidence.map(([name, value]) =>
      element('div', '', element('dt', '', name), element('dd', '', element('code', '', value))),
    ),
  );
}

function ruleMore({ why, fix, source: [name, url] }: ReportData['rules'][number]): HTMLElement | null {
  if (why === '' && fix === '') return null;
  return element(
    'details',
    'more',
    element('summary', '', 'Why it matters, how to mend it'),
    element('p', '', why),
    element('p', '', fix),
    /^https?:\/\//.test(url) ? element('p', '', outwards(url, name, '')) : null,
  );
}
