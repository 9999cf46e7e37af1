// The browsers, countries, languages and window widths of the demo's visitors.
//
// The user agents are from real browsers in summer 2025, therefore src/classify can read them. Countries are written as
// a short text: "DE640 AT90" means weight 640 for Germany and 90 for Austria. bakery.ts and docs.ts describe the demo
// sites, and use these lists.

import type { Weights } from './dice.ts';

const MAC = 'Macintosh; Intel Mac OS X 10_15_7';
const IPHONE = 'iPhone; CPU iPhone OS 18_5 like Mac OS X';
const IPAD = 'iPad; CPU OS 18_5 like Mac OS X';
const WINDOWS = 'Windows NT 10.0; Win64; x64';
const LINUX = 'X11; Linux x86_64';
const ANDROID = 'Linux; Android 10; K';

const chrome = (system: string, kind = '', more = '') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0${kind} Safari/537.36${more}`;
const firefox = (system: string) => `Mozilla/5.0 (${system}; rv:141.0) Gecko/20100101 Firefox/141.0`;
const safari = (system: string, kind = '', more = '') =>
  `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5${kind} Safari/605.1.15${more}`;

/** The user agent of bots that pretend to be people. */
export const HEADLESS = chrome(LINUX);

/** Browsers that people use at home, or on their phones elsewhere, with weights. */
export const AT_HOME: Weights<string> = [
  [safari(IPHONE, ' Mobile/15E148'), 34],
  [chrome(ANDROID, ' Mobile'), 24],
  [chrome(WINDOWS), 12],
  [chrome(ANDROID, ' Mobile').replace('Chrome', 'SamsungBrowser/28.0 Chrome'), 6],
  [safari(MAC), 6],
  [safari(IPAD, ' Mobile/15E148'), 5],
  [chrome(WINDOWS, '', ' Edg/138.0.0.0'), 5],
  [`Mozilla/5.0 (${IPHONE}) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76 Instagram 389.0.0`, 4],
  [firefox(WINDOWS), 3],
  [chrome(MAC), 3],
  [firefox(LINUX), 1],
];

/** Browsers that people use at a desk at work, with weights. */
export const AT_WORK: Weights<string> = [
  [chrome(WINDOWS), 24],
  [chrome(MAC), 18],
  [firefox(LINUX), 14],
  [safari(MAC), 9],
  [chrome(LINUX), 8],
  [firefox(WINDOWS), 7],
  [chrome(WINDOWS, '', ' Edg/138.0.0.0'), 6],
  [firefox('Macintosh; Intel Mac OS X 10.15'), 4],
  [safari(IPHONE, ' Mobile/15E148'), 6],
  [chrome(ANDROID, ' Mobile'), 5],
  [chrome(LINUX, '', ' OPR/122.0.0.0'), 1],
  [chrome(MAC, '', ' Vivaldi/7.5'), 1],
];

/** The widths of windows at a desk, in CSS pixels. Laptops are the most frequent. */
const DESK_WIDTHS = [1280, 1366, 1440, 1280, 1536, 1920, 1366, 2560] as const;

/**
 * Chooses the width of the window for a kind of device. `number` is any whole number, such as the number of the
 * visitor. Equal numbers lead to equal widths, because nothing is random.
 */
export const findWidth = (device: string, number: number): number =>
  device === 'Mobile' ? 390 : device === 'Tablet' ? 820 : (DESK_WIDTHS[number % DESK_WIDTHS.length] ?? 1280);

/** The one language that visitors from a country have in the demo. Visitors from all other countries have English. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ DE: 'de', AT: 'de', CH: 'de', FR: 'fr', BE: 'fr', ES: 'es', MX: 'es', AR: 'es', CO: 'es', CL: 'es' },
  ...{ IT: 'it', NL: 'nl', PL: 'pl', PT: 'pt', BR: 'pt', CZ: 'cs', RO: 'ro', SE: 'sv', DK: 'da', NO: 'nb', FI: 'fi' },
  ...{ JP: 'ja', CN: 'zh', TW: 'zh', KR: 'ko', GR: 'el', TR: 'tr', UA: 'uk', RU: 'ru', HU: 'hu' },
};

/** Regions and cities of some countries. Visitors from other countries have neither. */
const CITIES: Readonly<Record<string, readonly string[]>> = {
  DE: ['DE-BE Berlin', 'DE-BE Berlin', 'DE-HH Hamburg', 'DE-BY Munich', 'DE-NW Cologne', 'DE-SN Leipzig'],
  AT: ['AT-9 Vienna', 'AT-9 Vienna', 'AT-6 Graz'],
  CH: ['CH-ZH Zurich', 'CH-BE Bern'],
  FR: ['FR-IDF Paris', 'FR-ARA Lyon'],
  GB: ['GB-ENG London', 'GB-SCT Edinburgh'],
  US: ['US-NY New York', 'US-CA San Francisco', 'US-TX Austin', 'US-WA Seattle'],
};

/**
 * Chooses the region and the city of a visitor. `number` is the number of the visitor. Equal numbers lead to equal
 * cities, because nothing is random.
 */
export function findTown(country: string, number: number): { region: string; city: string } {
  const cities = CITIES[country] ?? [];
  const city = cities[number % cities.length] ?? '';
  return { region: city.split(' ', 1)[0] ?? '', city };
}

const weights = (text: string): Weights<string> =>
  text.split(' ').map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const);

export const NEARBY = weights(
  'DE640 AT90 FR38 GB34 US46 ES16 NL14 IT12 BE9 PL19 PT8 AU4 CA8 SE6 CH26 DK15 NO5 IE4 IN4 ZA3 NZ3 FI2 CZ12 RO2 GR2 JP2 BR2',
);

export const WORLDWIDE = weights(
  `US250 DE130 GB82 FR64 IN58 NL46 CA42 BR34 ES28 PL28 IT27 AU26 SE24 CH24 JP24 CN20 AT18 CZ16 FI15 NO15 DK15 BE14
UA13 RO12 PT12 KR11 MX10 AR10 TR10 ID9 IE9 SG8 NZ8 ZA7 HU7 GR7 VN6 IL6 CO5 CL5 TW5 TH4 PH4 EE4 BG4 NG3 KE3 EG2`.replaceAll(
    '\n',
    ' ',
  ),
);
