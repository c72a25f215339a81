/** Content codings that are registered with IANA and not decoded here. Any other word that names no coding is a mistake about plain bytes. */
export const UNREADABLE_CODINGS: ReadonlySet<string> = new Set([
  'aes128gcm',
  'compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
  'x-compress',
  'zstd',
]);
