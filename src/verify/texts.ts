import type { Coded, Writers } from '../lang/coded.ts';
import { isLanguage, type Language } from '../lang/languages.ts';
import { type Say, sayIn, type Text, type Texts } from '../lang/messages.ts';
import type { MessageIn } from '../lang/translations.ts';
import type { VerifyTexts } from '../lang/verify.ts';

export type Message = MessageIn<'verify'>;

/** The texts of verify.html in all languages. The build replaces `VERIFY_TEXTS` by the texts. */
declare const VERIFY_TEXTS: VerifyTexts;

export type PageTexts = Say<Message> & { writeFault(fault: Coded): string; writeDay(date: string): string };

export function makeTexts(language: Language): PageTexts {
  const say = sayIn<Message>(language, readTexts(VERIFY_TEXTS, language));
  // Dates are written as in the browser's country, such as en-GB, if verify.html is shown in the browser's language.
  const own = navigator.language.startsWith(language) ? navigator.language : language;
  const dates = new Intl.DateTimeFormat(own, { dateStyle: 'medium', timeZone: 'UTC' });
  const writeDay = (date: string): string => dates.format(new Date(`${date}T00:00:00Z`));
  const plain: Writers = {
    ...{ number: String, days: () => '', signed: String, size: String, time: String, day: writeDay },
    codes: () => '',
    list: () => '',
  };
  /** The name of a figure and the reason of a receipt are not translated, so people find them in the receipt. */
  const writeFault = (fault: Coded): string => say.coded(fault, plain) ?? fault.code;
  return { ...say, writeFault, writeDay };
}

export function chooseLanguage(liked: readonly string[]): Language {
  return liked.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

/**
 * Makes the table of texts for one language. For English, the table has only the texts whose keys are codes, such as
 * the texts of faults in receipts. The key of any other message is the English text itself, which is shown as it is.
 */
const readTexts = ({ names, texts }: VerifyTexts, language: Language): Texts =>
  Object.fromEntries(
    names.flatMap((name, i): [string, Text][] => {
      const text = texts[language][i];
      return text ? [[name, text]] : [];
    }),
  );
