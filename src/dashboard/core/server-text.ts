import type { TextCode, Writers } from '../../lang/coded.ts';
import { change, day, number, size, spanText, time } from './format.ts';
import { sentenceOf } from './texts.ts';

/**
 * Functions that write the values in the server's messages, such as days and sizes. They use the language of the page.
 */
const WRITERS: Writers = {
  number,
  days: (spans) => spans.map(spanText).join(', '),
  signed: change,
  size,
  time,
  day,
  codes: (all) => all.map((one) => said(one, one.code)).join('; '),
  list: (all) => all.map((one) => said(one, one.code)).join(', '),
};

/**
 * Writes a message of the server in the language of the page. After an update of the server, a page that was opened
 * earlier may not know the code of the message. Then the result is the server's English text.
 */
export const said = (text: TextCode | undefined, english: string): string =>
  (text && sentenceOf(text, WRITERS)) ?? english;
