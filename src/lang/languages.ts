/**
 * The languages of the interface. English texts are in the code itself. Every language except English has a table of
 * texts, such as de.ts.
 */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Translated = Exclude<Language, 'en'>;
export const TRANSLATED = LANGUAGES.filter((language): language is Translated => language !== 'en');

/** The name of each language in that language, such as Deutsch for German. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

/** Chooses the language by the header Accept-Language. Returns English if the header names no language of daybook. */
export function readPreferredLanguage(accepted = ''): Language {
  const liked = accepted
    .split(',')
    .map((one) => {
      const [tag = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { language: tag.split('-')[0] ?? '', quality: Number(quality) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ language }) => language);
  return liked.find(isLanguage) ?? 'en';
}

export const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text);
