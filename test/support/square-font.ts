/** A generated TrueType font of one glyph: every letter from A to Z is a square that fills its em. */

const EM = 1000;
const numbers = {
  u16: (value: number): number[] => [(value >> 8) & 0xff, value & 0xff],
  u32: (value: number): number[] => [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff],
};
const { u16, u32 } = numbers;
const words = (...values: number[]): number[] => values.flatMap(u16);

/** A closed outline of four points; the glyph of missing characters is empty. */
const SQUARE = [
  ...words(1, 0, 0, EM, EM), // one contour, its box
  ...words(3, 0), // its last point, no instructions
  ...[1, 1, 1, 1],
  ...words(0, 0, EM, 0), // moves to the right
  ...words(0, EM, 0, -EM & 0xffff), // moves up
  0,
  0,
];

const CHARACTERS = [
  ...words(0, 1, 3, 1),
  ...u32(12),
  ...words(4, 32, 0, 4, 4, 1, 0), // format 4: two segments
  ...words(0x5a, 0xffff, 0, 0x41, 0xffff),
  ...words(0, 1), // looks up every letter
  ...words(4, 0),
];

function tables(): readonly (readonly [name: string, bytes: readonly number[]])[] {
  // A to Z are glyph 1, listed one after the other where the first segment points
  const letters = words(...Array.from({ length: 26 }, () => 1));
  const length = 32 + letters.length;
  const characters = [...CHARACTERS, ...letters];
  characters.splice(14, 2, ...u16(length));
  return [
    [
      'OS/2',
      [
        ...words(4, EM, 400, 5, 0, ...Array.from({ length: 10 }, () => 0), 0),
        ...Array.from({ length: 10 }, () => 0),
        ...Array.from({ length: 4 }, () => u32(0)).flat(),
        ...[0x20, 0x20, 0x20, 0x20],
        ...words(0x40, 0x41, 0x5a, EM, 0, 0, EM, 0),
        ...u32(1),
        ...u32(0),
        ...words(EM, EM, 0, 0x20, 1),
      ],
    ],
    ['cmap', characters],
    ['glyf', SQUARE],
    [
      'head',
      [
        ...u32(0x10000),
        ...u32(0x10000),
        ...u32(0),
        ...u32(0x5f0f3cf5),
        ...words(0, EM),
        ...Array.from({ length: 16 }, () => 0),
        ...words(0, 0, EM, EM, 0, 8, 2, 0, 0),
      ],
    ],
    ['hhea', [...u32(0x10000), ...words(EM, 0, 0, EM, 0, 0, EM, 1, 0, 0, 0, 0, 0, 0, 0, 2)]],
    ['hmtx', words(EM, 0, EM, 0)],
    ['loca', words(0, 0, SQUARE.length / 2)],
    ['maxp', [...u32(0x10000), ...words(2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]],
    ['name', [...words(0, 1, 18, 3, 1, 0x409, 1, 2, 0), 0, 0x53]],
    ['post', [...u32(0x30000), ...u32(0), ...words(0, 0), ...u32(0), ...u32(0), ...u32(0), ...u32(0), ...u32(0)]],
  ];
}

export function squareFont(): Buffer {
  const all = tables();
  const head = [...u32(0x10000), ...words(all.length, 128, 3, all.length * 16 - 128)];
  let at = head.length + all.length * 16;
  const directory: number[] = [];
  const data: number[] = [];
  for (const [name, bytes] of all) {
    directory.push(...Buffer.from(name), ...u32(0), ...u32(at), ...u32(bytes.length));
    const padded = [...bytes, ...Array.from({ length: (4 - (bytes.length % 4)) % 4 }, () => 0)];
    data.push(...padded);
    at += padded.length;
  }
  return Buffer.from([...head, ...directory, ...data]);
}
