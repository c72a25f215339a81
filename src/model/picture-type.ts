/** The two kinds of screenshots: JPEG, and PNG where every pixel counts. */

/** PNG (Third Edition), section 5.2. */
const PNG_SIGNATURE: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Is the picture a PNG, by its first bytes? */
export function isPng(picture: Uint8Array): boolean {
  return PNG_SIGNATURE.every((byte, at) => picture[at] === byte);
}

/** Extension of the picture's file. */
export function pictureEnding(picture: Uint8Array): 'png' | 'jpg' {
  return isPng(picture) ? 'png' : 'jpg';
}
