/** Why a file that a flag names cannot be read, in words. */
const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
};

/** The words for what the system says of a file; its code where there are none. */
export function fileFault(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no reason given';
  return FILE_FAULTS[code] ?? code;
}
