/** A size to read at a glance, in units of 1024: `350 bytes`, `4.2 kB`, `1.3 GB`. @param size bytes, 0 or more */
export function sizeWords(size: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  if (size < 1024) return `${Math.round(size)} bytes`;
  const power = Math.min(units.length, Math.floor(Math.log2(size) / 10));
  const value = size / 1024 ** power;
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${units[power - 1] ?? ''}`;
}
