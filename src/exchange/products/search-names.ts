// Lists the names that Google's Search Console gives to columns, countries and devices. Google writes its exports in
// the language of the user. daybook knows English, German, French and Spanish.
//
// Example: the first column of `Suchanfragen.csv` is `Häufigste Suchanfragen`, so its rows are search terms. The
// country `Deutschland` gives DE. search-console.ts calls these functions with the names of columns, countries and
// devices. To recognise an export, ../recognize.ts also calls `findSearchKind` with the names of its files.

import { once } from '../../lib/once.ts';
import type { SearchKind } from '../../store/sites/searches.ts';

/**
 * The kinds of rows. The regular expression of a kind recognises the name of its column in all four languages. `Search
 * Appearance` and the hours of a day are not imported.
 */
const KINDS: readonly [SearchKind, RegExp][] = [
  ['query', /quer(?:y|ies)|suchanfrage|requête|consulta/i],
  ['page', /\bpages?\b|\bseiten?\b|página/i],
  ['country', /^(?:countr(?:y|ies)|land|länder|pays|país(?:es)?)$/i],
  ['device', /^(?:devices?|geräte?|appareils?|dispositivos?)$/i],
  ['day', /^(?:date|datum|fecha)$/i],
];

const METRICS = {
  clicks: /^(?:clicks|klicks|clics)$/i,
  impressions: /^(?:impressions|impressionen|impresiones)$/i,
  position: /^(?:average |durchschnittliche )?(?:position|posición)(?: moyenne| media)?$/i,
} as const;
export type SearchMetric = keyof typeof METRICS;
export const SEARCH_METRICS = Object.keys(METRICS) as SearchMetric[];

export const findSearchKind = (column: string): SearchKind | undefined =>
  KINDS.find(([, names]) => names.test(column.trim()))?.[0];

export const findSearchMetric = (column: string): SearchMetric | undefined =>
  SEARCH_METRICS.find((metric) => METRICS[metric].test(column.trim()));

const DEVICES: readonly [string, RegExp][] = [
  ['Desktop', /^(?:desktop|computer|ordinateur|ordenador|computadora)$/i],
  ['Mobile', /^(?:mobile|mobil|mobilgerät|móvil|celular)$/i],
  ['Tablet', /^(?:tablet|tablette)$/i],
];

/** Returns the name that reports use for a device. An unknown name stays as it is. */
export const nameDevice = (text: string): string => DEVICES.find(([, names]) => names.test(text))?.[0] ?? text;

/** Returns the code of a country, such as DE. An unknown name stays as it is. */
export const nameCountry = (text: string): string => listCountries().get(text.toLowerCase()) ?? text;

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const listCountries = once(() => {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const names = new Map<string, string>();
  for (const language of ['es', 'fr', 'de', 'en']) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of codes) {
      const name = Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}` ? display.of(code) : undefined;
      if (name !== undefined) names.set(name.toLowerCase(), code);
    }
  }
  return names;
});
