/** Control characters, but for line feeds and tabs, and those that reorder or hide text. Joiners are a part of words and emoji. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const HARMLESS = ['\n', '\t', '\u200c', '\u200d'];

const escaped = (character: string): string =>
  HARMLESS.includes(character)
    ? character
    : character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');

/** A text for a terminal, which would obey control characters. They are written as in JSON, so that JSON stays JSON. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, escaped);

/** What somebody typed, without what would break a line or change the terminal. */
export const inLine = (text: string): string => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ');
