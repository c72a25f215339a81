/** All pages as a table: searched, filtered, sorted by its columns, in stretches. */
import type { ReportPageRow, ReportData } from '../../src/model/report-data.ts';
import { element, link, pager, spelt, valueIn } from './dom.ts';

const STRETCH = 25;
const PAUSE = 120;

/** The sort key of each column, and whether large values come first. */
const COLUMNS: readonly {
  readonly valueOf: (row: ReportPageRow, urls: readonly string[]) => string | number;
  readonly large: boolean;
}[] = [
  { valueOf: ([url], urls) => urls[url] ?? '', large: false },
  { valueOf: ([, , status]) => status, large: true },
  { valueOf: ([, , , depth]) => depth, large: false },
  { valueOf: ([, , , , bytes]) => bytes, large: true },
  { valueOf: ([, , , , , findings]) => findings, large: true },
];

export function listPages(data: ReportData): void {
  const form = document.getElementById('page-filter');
  const table = document.getElementById('page-table');
  const place = document.getElementById('page-more');
  if (!(form instanceof HTMLFormElement) || !(table instanceof HTMLTableElement) || place === null) return;
  const [body] = table.tBodies;
  if (body === undefined) return;
  form.hidden = false;
  const heads = [...table.querySelectorAll('th')];
  let column = COLUMNS.length - 1;
  let isDescending = true;

  const show = (from: number, rows: readonly ReportPageRow[]): void => {
    body.replaceChildren(...rows.slice(from, from + STRETCH).map((row) => tableRow(row, data)));
    const turn = (to: number): void => {
      show(to, rows);
      form.scrollIntoView();
    };
    place.replaceChildren(pager({ from, size: STRETCH, all: rows.length, place }, turn));
  };

  const update = (): void => {
    const rows = data.pages.filter((row) => isWanted(row, form, data));
    const { valueOf } = COLUMNS[column] ?? { valueOf: () => 0 };
    const sign = isDescending ? -1 : 1;
    rows.sort((one, other) => sign * compared(valueOf(one, data.urls), valueOf(other, data.urls)));
    for (const [index, head] of heads.entries())
      head.setAttribute('aria-sort', index !== column ? 'none' : isDescending ? 'descending' : 'ascending');
    show(0, rows);
  };

  for (const [index, head] of heads.entries()) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    button.addEventListener('click', () => {
      isDescending = index === column ? !isDescending : (COLUMNS[index]?.large ?? false);
      column = index;
      update();
    });
    head.replaceChildren(button);
  }
  let timer = 0;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(update, PAUSE);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  update();
}

function isWanted(
  [url, title, status, , , findings, reason]: ReportPageRow,
  form: HTMLFormElement,
  { urls }: ReportData,
): boolean {
  const text = valueIn(form, 'text').toLowerCase();
  if (text !== '' && !`${urls[url] ?? ''}\n${title}`.toLowerCase().includes(text)) return false;
  switch (valueIn(form, 'show')) {
    case 'findings':
      return findings > 0;
    case 'judged':
      return reason === '';
    case 'not-judged':
      return reason !== '';
    case 'errors':
      return status >= 400;
    default:
      return true;
  }
}

function compared(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function tableRow(
  [url, title, status, depth, bytes, findings, reason]: ReportPageRow,
  { urls, origins }: ReportData,
): HTMLElement {
  const cell = (name: string, text: string): HTMLElement => {
    const made = element('td', '', text);
    made.dataset['name'] = name;
    return made;
  };
  return element(
    'tr',
    '',
    element(
      'td',
      'page',
      title === '' ? null : element('span', 'title', title),
      link(urls[url] ?? '', origins),
      reason === '' ? null : element('span', 'muted', `not judged: ${reason}`),
    ),
    cell('status', status === 0 ? '–' : String(status)),
    cell('clicks', String(depth)),
    cell('weight', bytes < 0 ? '–' : sizeText(bytes)),
    cell('findings', spelt(findings)),
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  if (kilobytes < 1024) return `${kilobytes < 10 ? Math.round(kilobytes * 10) / 10 : Math.round(kilobytes)} kB`;
  return `${Math.round(kilobytes / 102.4) / 10} MB`;
}
