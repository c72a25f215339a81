/** Paper has no folds: opens them while the report is printed, where the browser does not know `::details-content` of the style sheet. */

export function unfoldForPaper(): void {
  let opened: readonly HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    opened = [...opened, ...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const each of opened) each.open = true;
  });
  addEventListener('afterprint', () => {
    for (const each of opened) each.open = false;
    opened = [];
  });
}
