/**
 * Reads the first language of the header Accept-Language, without its region. Browsers put the preferred language
 * first. Returns an empty text if the header names no language.
 *
 * Example: `de-AT,de;q=0.9,en;q=0.8` gives `de`.
 */
export const readLanguage = (acceptLanguage = ''): string =>
  /^\s*([a-z]{2,3})(?=$|[-,;\s])/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? '';
