/** References that a page lost and gained, and whether one replaced the other. */
import { builtAddress } from '../../model/url/steady-address.ts';
import type { ReferenceChanges } from './references.ts';

/** References of a page, in the order of the page. */
export interface PageReferences {
  readonly addresses: readonly string[];
  /** Visible text of the link to an address; empty where there is none, or where it is unknown. */
  readonly textOf: (address: string) => string;
  /** False for those of a baseline, which are sorted. */
  readonly isOrdered: boolean;
}

/** The files of a page, by the steady addresses that the other side has: the hash of one build looks like a hash, that of the other like a name. */
export function rebuiltFiles(files: PageReferences | null, others: PageReferences | null): PageReferences | null {
  if (files === null || others === null) return files;
  const known = new Set(others.addresses);
  const addresses = files.addresses.map((address) => {
    const built = known.has(address) ? null : builtAddress(address);
    return built !== null && known.has(built) ? built : address;
  });
  return { ...files, addresses };
}

/** @param old null where unknown, like `now`: then nothing counts as changed */
export function referenceChanges(old: PageReferences | null, now: PageReferences | null): ReferenceChanges {
  if (old === null || now === null) return { gone: [], come: [], isReplaced: false };
  const [before, after] = [new Set(old.addresses), new Set(now.addresses)];
  const gone = [...before].filter((address) => !after.has(address));
  const come = [...after].filter((address) => !before.has(address));
  const [lost, found] = [gone[0], come[0]];
  if (gone.length !== 1 || come.length !== 1 || lost === undefined || found === undefined)
    return { gone, come, isReplaced: false };
  const isKin = isSameText(old.textOf(lost), now.textOf(found)) || isSameFile(lost, found);
  const isOrdered = old.isOrdered && now.isOrdered;
  return { gone, come, isReplaced: isOrdered && isKin && isSamePlace([...before], lost, [...after], found) };
}

/** Do both stand between the same neighbours? */
function isSamePlace(old: readonly string[], lost: string, now: readonly string[], found: string): boolean {
  const [from, to] = [old.indexOf(lost), now.indexOf(found)];
  return old[from - 1] === now[to - 1] && old[from + 1] === now[to + 1];
}

function isSameText(old: string, now: string): boolean {
  return old !== '' && old === now;
}

/** The same file of the same folder, but for query, fragment and extension. */
function isSameFile(old: string, now: string): boolean {
  return fileName(old) === fileName(now);
}

function fileName(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  const at = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  return dot <= at ? path : path.slice(0, dot);
}
