import { CLASS_DIGIT, CLASS_LETTER, CLASS_WIDE } from '../kernels/text-layout.ts';
import { CharClass, CLASS_OF_UNIT } from './character-classes.ts';

const BYTE_COUNT = 256;
const ASCII_END = 0x80;

const classOfByte = (byte: number, signs: Readonly<Record<string, number>>): number => {
  if (byte >= ASCII_END) return CLASS_WIDE;
  const character = String.fromCharCode(byte);
  if (/[a-z]/i.test(character)) return CLASS_LETTER;
  if (/[0-9]/.test(character)) return CLASS_DIGIT;
  return signs[character] ?? 0;
};

/** The kernel's class of each byte: letters, digits, bytes of wider characters, and `signs`; the rest parts words. */
export const classesOfBytes = (signs: Readonly<Record<string, number>>): Uint8Array =>
  Uint8Array.from({ length: BYTE_COUNT }, (_, byte) => classOfByte(byte, signs));

/** 1 for each code point of the BMP that parts words, whatever stands beside it. */
export const SEPARATING_CODE_POINTS: Uint8Array = CLASS_OF_UNIT.map((charClass) =>
  charClass === CharClass.other ? 1 : 0,
);
