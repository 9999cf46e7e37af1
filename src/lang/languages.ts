/** In which people are answered; English is the one that everything is written in. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Translated = Exclude<Language, 'en'>;
export const TRANSLATED = LANGUAGES.filter((language): language is Translated => language !== 'en');

/** As their speakers call them. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text);

/** The one of the languages that an Accept-Language header likes most; English where it names none of them. */
export function languageOf(accepted = ''): Language {
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
