/**
 * Makes a text harmless for a terminal, which would obey control characters. They are escaped as in JSON, so JSON stays
 * valid.
 */
export const makePrintable = (text: string): string => text.replaceAll(UNPRINTABLE, escapeCharacter);

/** Makes a text fit one line: control characters and line breaks become spaces. */
export const writeInLine = (text: string): string => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ');

/**
 * Control characters without line feed and tab, and characters that reorder or hide text. Joiners are allowed, because
 * words and emoji have them.
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
