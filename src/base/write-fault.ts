/** What the system says of a folder in which nothing can be made. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is no folder',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long for the system',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of this user is used up',
};

/** Why the system made nothing in a folder, in words. */
export function writeFault(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FAULTS[code] ?? (error instanceof Error ? error.message : String(error));
}
