/**
 * Makes a text safe to print in a terminal. A terminal obeys control characters, so a visitor could change what the
 * operator sees. Control characters are escaped as in JSON, so that JSON stays valid.
 */
export const makePrintable = (text: string): string => text.replaceAll(UNPRINTABLE, escapeCharacter);

export const writeInLine = (text: string): string => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ');

/**
 * Control characters, and characters that reorder or hide text. `HARMLESS` has the exceptions: line feed, tab, and the
 * joiners that some words and emoji contain.
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
