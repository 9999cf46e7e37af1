import type { TextCode, Writers } from '../lang/coded.ts';
import { change, day, number, size, spanText, time } from './format.ts';
import { sentenceOf } from './texts.ts';

/** Writers for values of the server's codes, in the language of the page. */
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
 * The sentence of a code in the language of the page. If the page does not know the code of a newer server, it is the
 * English text.
 */
export const said = (text: TextCode | undefined, english: string): string =>
  (text && sentenceOf(text, WRITERS)) ?? english;
