import type { TextCode, Writers } from '../../lang/coded.ts';
import { change, day, number, size, spanText, time } from './format.ts';
import { sentenceOf } from './texts.ts';

/** The functions write the values of the server's messages in the language of the page. */
const WRITERS: Writers = {
  number,
  days: (spans) => spans.map(spanText).join(', '),
  signed: change,
  size,
  time,
  day,
  codes: (all) => all.map((one) => said(one, one.code)).join('; '),
};

/**
 * Writes a sentence of the server in the language of the page. If the page does not know the code, the result is the
 * English text. This happens if the server is newer than the page.
 */
export const said = (text: TextCode | undefined, english: string): string =>
  (text && sentenceOf(text, WRITERS)) ?? english;
