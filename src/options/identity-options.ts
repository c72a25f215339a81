/** Settings of the group `identity`: as whom the crawler comes to a site. */
import { rowsOf, type OptionRow } from './option-row.ts';
import { path } from './text-type.ts';

const { option } = rowsOf('identity');

export const IDENTITY_OPTIONS = {
  /** File with the cookies and the local storage of a sign-in, in Playwright's form; what sites change is written back. */
  storageState: option({
    type: path("a file, as Playwright's storageState() writes it"),
    flag: '--storage-state <file>',
    help: 'Crawls signed in, with the cookies and local storage of this file of Playwright; what the sites change is written back.',
    alsoResume: true,
  }) as OptionRow<string>,
};
