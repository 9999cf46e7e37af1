import type { TextCode, Writers } from '../lang/coded.ts';
import { change, day, number, size, spanText, time } from './format.ts';
import { sentenceOf } from './texts.ts';

/** How the values of the server are written, in the language of the page. */
const WRITERS: Writers = {
  number,
  days: (spans) => spans.map(spanText).join(', '),
  signed: change,
  size,
  time,
  day,
  codes: (all) => all.map((one) => said(one, one.code)).join('; '),
};

/** What the server says, in the language of the page; in English where the server is newer than the page and its code not known. */
export const said = (text: TextCode | undefined, english: string): string =>
  (text && sentenceOf(text, WRITERS)) ?? english;
