/**
 * A table of knowledge about the parameters of a family of pages: its rows are pages, its columns are values of parameters. A cell is a URL.
 * It is folded where its row is known (another cell of it was visited, and said the same) and its column is known (it said the same as other
 * cells on several rows). So a parameter that matters on one page only, or by one value only, is seen on that page, or by that value.
 *
 * A parameter that was seen to change a page *matters*: from then on it is part of the row's name, and the family is learnt anew,
 * under another version. A parameter that matters never stops to matter.
 */
import { fnv1a, mixed } from '../../base/hash.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { isOfRoute, isToken, namesContent, placeName, SUFFIX, type Address, type Parameter } from './address.ts';

/** Knowledge of a family. Its columns count the rows on which they said the same. */
export interface FamilyRecord {
  readonly version: number;
  readonly matters: readonly string[];
  readonly columns: Readonly<Record<string, number>>;
  /** Visits that said the same as another one of their row. */
  readonly compared: number;
}

/** Knowledge of a page: visits of it by several parameters. */
export interface RowRecord {
  /** Number of visits. */
  readonly visits: number;
  /** Two of them differed, and the parameter that caused it is not known. */
  readonly uneven: boolean;
  readonly cells: readonly Cell[];
  /** Hashes of the names of places in it; only of routes. */
  readonly places: readonly number[];
}

interface Cell {
  /** Parameters that do not matter, as they are written; {@link POSITION} and a name for a place in the page. */
  readonly values: string;
  readonly content: number;
  /** It counts in its column. */
  readonly counts: boolean;
}

/** A page that was visited. */
export interface SeenPage {
  readonly address: Address;
  /** See page-content.ts. */
  readonly content: number;
  /** See {@link RowRecord.places}. */
  readonly places: readonly number[];
}

export interface Learnt {
  readonly family: FamilyRecord;
  /** Null where it is to be looked up again, because the family has another version. */
  readonly row: RowRecord | null;
  /** URLs that were folded under the earlier version may be wrong. */
  readonly undone: boolean;
}

/** Rows on which a column must have said the same (arbitrary: two may be chance, and each costs a visit). */
const ROWS_NEEDED = 3;
/** One in SAMPLE URLs that would be folded is visited all the same, until its row has had SAMPLED_VISITS. */
const SAMPLE = 16;
const SAMPLED_VISITS = 8;
const MOST_CELLS = 12;
const MOST_COLUMNS = 256;
/** A family with more names that matter is not learnt any more: its names are values. */
const MOST_NAMES = 32;
const LONGEST_VALUE = 32;

export const NEW_FAMILY: FamilyRecord = { version: 1, matters: [], columns: {}, compared: 0 };
export const NEW_ROW: RowRecord = { visits: 0, uneven: false, cells: [], places: [] };

/** Prefix of a cell's values if the cell is a place in its page; no name has it. */
export const POSITION = '¶';
/** In `matters`: parameters that name places in pages change them all the same. */
const POSITIONS_MATTER = POSITION;

/** Names that the user wants to be kept: they matter, whatever pages say. */
export type IsKept = (name: string) => boolean;

/** A cell's place in the table. */
export interface Spot {
  /** Names the row within the version of its family. */
  readonly row: string;
  readonly values: string;
}

/**
 * The row of a page, taking the parameters of its route for names of places in it. Null where it has none, or also has others that may
 * change nothing: one thing is learnt at a time.
 */
export function positionSpot({ path, parameters }: Address, family: FamilyRecord, isKept: IsKept): Spot | null {
  const ofRoute = parameters.filter(isOfRoute);
  if (ofRoute.length === 0 || family.matters.includes(POSITIONS_MATTER)) return null;
  if (ofRoute.some(({ name }) => isKept(plainName(name)))) return null;
  const { row, values } = parted({ path, parameters: parameters.filter((each) => !isOfRoute(each)) }, family, isKept);
  if (values !== '') return null;
  return { row, values: POSITION + ofRoute.map(({ value }) => placeName(value)).join(POSITION) };
}

/** The row of a page by all its parameters that matter, with the others as values. */
export function plainSpot(address: Address, family: FamilyRecord, isKept: IsKept): Spot {
  return parted(address, family, isKept);
}

/** Are a spot's values names of places in its row? */
export function isPosition({ values }: Spot, { places }: Pick<RowRecord, 'places'>): boolean {
  const names = values.split(POSITION).slice(1);
  return names.length > 0 && names.every((name) => places.includes(fnv1a(name)));
}

function parted(
  { path, parameters }: Pick<Address, 'path' | 'parameters'>,
  { matters }: FamilyRecord,
  isKept: IsKept,
): Spot {
  const known = new Set(matters);
  const isFree = ({ name }: Parameter): boolean =>
    !known.has(name) && !namesContent(plainName(name)) && !isKept(plainName(name));
  return {
    row: [path, ...parameters.filter((each) => !isFree(each)).map(written)].join('&'),
    values: parameters.filter(isFree).map(written).join('&'),
  };
}

function plainName(name: string): string {
  return name === SUFFIX ? name : name.replace(/^#/, '');
}

function written({ name, value }: Parameter): string {
  return `${name}=${value.length > LONGEST_VALUE ? shortened(value) : value}`;
}

/** A shortened token is still a token. */
function shortened(value: string): string {
  const hash = mixed(fnv1a(value)).toString(16).padStart(8, '0');
  return isToken(value) ? `a${hash}0` : `~${hash}`;
}

/** The column of some values: all tokens count as one value, and so do all places in pages. Empty for a page without values. */
function columnOf(values: string): string {
  if (values.startsWith(POSITION)) return POSITION;
  return pairsOf(values)
    .map(([name, value]) => `${name}=${isToken(value) ? '@' : value}`)
    .join('&');
}

function pairsOf(values: string): readonly (readonly [name: string, value: string])[] {
  if (values === '') return [];
  if (values.startsWith(POSITION)) return [[POSITION, values]];
  return values.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

/** Names whose values differ. A name that comes several times has all its values. */
function differences(one: string, other: string): readonly string[] {
  const byName = (values: string): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    for (const [name, value] of pairsOf(values)) found.set(name, `${found.get(name) ?? ''}=${value}`);
    return found;
  };
  const [ones, others] = [byName(one), byName(other)];
  return [...new Set([...ones.keys(), ...others.keys()])].filter((name) => ones.get(name) !== others.get(name));
}

/** Enters a visit into the table. A repeated entry changes nothing. */
export function learn(family: FamilyRecord, row: RowRecord, { values }: Spot, page: SeenPage): Learnt {
  const { content } = page;
  const before = row.cells.find((cell) => cell.values === values);
  if (before !== undefined) {
    // a page that differs on each visit says nothing
    const uneven = row.uneven || before.content !== content;
    return { family, row: uneven === row.uneven ? row : { ...row, uneven }, undone: false };
  }
  const others = row.cells.filter((cell) => cell.content !== content);
  const blamed = namesBlamed(row, values, others);
  if (blamed.length > 0) return changed(family, blamed);
  const uneven = row.uneven || others.length > 0;
  const isAlike = !uneven && row.cells.length > 0;
  const cells = [...row.cells, { values, content, counts: false }].map((cell) =>
    isAlike && cell.values !== '' ? { ...cell, counts: true } : cell,
  );
  const columns = counted(family.columns, columnsOf(cells), columnsOf(row.cells));
  return {
    family: { ...family, columns, compared: family.compared + (isAlike ? 1 : 0) },
    row: {
      visits: row.visits + 1,
      uneven,
      cells: bounded(cells),
      places: row.places.length > 0 ? row.places : page.places,
    },
    undone: false,
  };
}

/**
 * Parameters that changed the page: the only one in which two visits differ. If the row counts in a column, at least one is blamed: all
 * in which two visits differ, but for those that alone have changed nothing on this page.
 */
function namesBlamed(row: RowRecord, values: string, others: readonly Cell[]): readonly string[] {
  const differing = others.map((cell) => differences(cell.values, values));
  const single = differing.filter(({ length }) => length === 1).flat();
  if (single.length > 0 || !row.cells.some(({ counts }) => counts)) return [...new Set(single)];
  const blamed = new Set(differing.flat());
  const suspects = [...blamed].filter((name) => !isIdle(row, name));
  return suspects.length > 0 ? suspects : [...blamed];
}

/** Did visits of the page that differ in this parameter alone say the same? */
function isIdle({ cells }: RowRecord, name: string): boolean {
  return cells.some((one, index) =>
    cells.slice(index + 1).some((other) => {
      const [first, ...more] = one.content === other.content ? differences(one.values, other.values) : [];
      return first === name && more.length === 0;
    }),
  );
}

function changed(family: FamilyRecord, blamed: readonly string[]): Learnt {
  const matters = [...new Set([...family.matters, ...blamed])];
  return {
    family: { version: family.version + 1, matters, columns: {}, compared: 0 },
    row: null,
    undone: hasLearnt(family),
  };
}

/** The columns in which cells of a row count. */
function columnsOf(cells: readonly Cell[]): ReadonlySet<string> {
  return new Set(cells.filter(({ counts }) => counts).map(({ values }) => columnOf(values)));
}

/** A row counts once in each column. */
function counted(
  columns: FamilyRecord['columns'],
  now: ReadonlySet<string>,
  before: ReadonlySet<string>,
): FamilyRecord['columns'] {
  const counts = new Map(Object.entries(columns));
  for (const column of now) {
    if (before.has(column)) continue;
    const had = counts.get(column);
    if (had !== undefined || counts.size < MOST_COLUMNS) counts.set(column, Math.min(ROWS_NEEDED, (had ?? 0) + 1));
  }
  return Object.fromEntries(counts);
}

/** Keeps the page without any parameter, and the latest of the others. */
function bounded(cells: readonly Cell[]): readonly Cell[] {
  if (cells.length <= MOST_CELLS) return cells;
  const oldest = cells.findIndex(({ values }) => values !== '');
  return cells.filter((_, index) => index !== oldest);
}

/** May any URL of the family be folded? */
export function hasLearnt({ columns, matters }: FamilyRecord): boolean {
  return matters.length <= MOST_NAMES && Object.values(columns).some((rows) => rows >= ROWS_NEEDED);
}

/** Are visits of the family worth entering? */
export function isLearnable({ matters }: FamilyRecord): boolean {
  return matters.length <= MOST_NAMES;
}

/** Is the URL known to say the same as its row? */
export function isFolded(url: CanonicalUrl, family: FamilyRecord, row: RowRecord, spot: Spot): boolean {
  const { values } = spot;
  if (values === '' || row.uneven || row.cells.some((cell) => cell.values === values)) return false;
  if ((family.columns[columnOf(values)] ?? 0) < ROWS_NEEDED || !hasLearnt(family)) return false;
  if (row.visits < SAMPLED_VISITS && mixed(fnv1a(url)) % SAMPLE === 0) return false;
  if (values.startsWith(POSITION)) return row.cells.length > 0 && isPosition(spot, row);
  return row.cells.length > 1 && hasSmallest(row, values);
}

/** Numbered pages end somewhere, and say the same after their end: so the page without a number must have been seen. */
function hasSmallest({ cells }: RowRecord, values: string): boolean {
  const numbers = pairsOf(values).filter(([, value]) => /^-?\d+$/.test(value) && !isToken(value));
  if (numbers.length === 0) return true;
  return cells.some((cell) => {
    const names = new Set(pairsOf(cell.values).map(([name]) => name));
    return numbers.every(([name]) => !names.has(name));
  });
}

/** Names of the parameters that a spot leaves out, for people. */
export function namesOf({ values }: Spot): readonly string[] {
  return [...new Set(pairsOf(values).map(([name]) => name))];
}

/** Names of the parameters that were learnt to change nothing; {@link POSITION} for places in pages. */
export function learntNames({ columns }: FamilyRecord): readonly string[] {
  const learnt = Object.entries(columns).filter(([, rows]) => rows >= ROWS_NEEDED);
  return [...new Set(learnt.flatMap(([column]) => pairsOf(column).map(([name]) => name)))];
}
