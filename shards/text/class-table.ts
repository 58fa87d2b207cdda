const BMP_SIZE = 0x10000;
const SURROGATES = { first: 0xd800, end: 0xe000 } as const;

/** All scalar values of the BMP, in order; a surrogate stands as a space so that regular expressions see no pairs. */
const bmpText = (): string => {
  const units = new Uint16Array(BMP_SIZE);
  for (let unit = 0; unit < BMP_SIZE; unit++) {
    units[unit] = unit >= SURROGATES.first && unit < SURROGATES.end ? 0x20 : unit;
  }
  const parts: string[] = [];
  for (let from = 0; from < BMP_SIZE; from += 0x2000) {
    parts.push(String.fromCharCode(...units.subarray(from, from + 0x2000)));
  }
  return parts.join('');
};

/** A pattern with the flags `gu` and the class of the characters that it finds. */
export type ClassRule<Class extends number> = readonly [pattern: RegExp, charClass: Class];

/** Class by UTF-16 code unit: 0 where no rule finds it, of several rules the last one's; `surrogate` for halves of pairs. */
export const classesOfUnits = <Class extends number>(
  rules: readonly ClassRule<Class>[],
  surrogate: Class,
): Uint8Array => {
  const table = new Uint8Array(BMP_SIZE);
  const text = bmpText();
  for (const [pattern, charClass] of rules) {
    for (const match of text.matchAll(pattern))
      table.fill(charClass, match.index, match.index + match[0].length);
  }
  return table.fill(surrogate, SURROGATES.first, SURROGATES.end);
};

/** UTF-16 units of the character at `index`. */
export const unitsAt = (text: string, index: number): number =>
  (text.codePointAt(index) ?? 0) >= BMP_SIZE ? 2 : 1;
