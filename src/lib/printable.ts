/**
 * Makes a text safe to print in a terminal, which would carry out control characters. Control characters are escaped as
 * in JSON, so JSON stays valid.
 */
export const makePrintable = (text: string): string => text.replaceAll(UNPRINTABLE, escapeCharacter);

/** Control characters and line breaks become spaces, so the text is one line. */
export const writeInLine = (text: string): string => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ');

/**
 * Control characters, and characters that reorder or hide text. Line feed and tab are allowed below. Joiners are
 * allowed too, because words and emoji contain them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const HARMLESS = ['\n', '\t', '\u200c', '\u200d'];

const escapeCharacter = (character: string): string =>
  HARMLESS.includes(character)
    ? character
    : character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');
