/** Colours: few, and from the sixteen that every terminal theme makes readable on its own background. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly notable: (text: string) => string;
}

const same = (text: string): string => text;

export const PLAIN: Paint = { strong: same, faint: same, good: same, bad: same, notable: same };

/** `faint` is attribute 2, not a grey: bright black vanishes on some dark themes. `notable` is magenta: yellow fades on white. */
export const COLOURED: Paint = {
  strong: style(1, 22),
  faint: style(2, 22),
  good: style(32, 39),
  bad: style(31, 39),
  notable: style(35, 39),
};

function style(on: number, off: number): (text: string) => string {
  return (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`);
}
