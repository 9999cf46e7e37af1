/**
 * The parameters in which ad networks put the id of a click, with the name of each network. The id itself is never
 * read.
 */
const CLICK_IDS: Readonly<Record<string, string>> = {
  gclid: 'google',
  gbraid: 'google',
  wbraid: 'google',
  dclid: 'doubleclick',
  msclkid: 'microsoft',
  fbclid: 'meta',
  ttclid: 'tiktok',
  twclid: 'x',
  li_fat_id: 'linkedin',
  yclid: 'yandex',
};

const NAMES = Object.keys(CLICK_IDS);

/**
 * Returns the ad network whose click id is in the URL, such as `google` for `?gclid=…`. Returns an empty text if there
 * is none.
 */
export function findAd({ search, searchParams }: URL): string {
  if (search === '') return '';
  const name = NAMES.find((one) => searchParams.has(one));
  return name === undefined ? '' : (CLICK_IDS[name] ?? '');
}

/** True if a parameter has the id of a click on an ad. `name` must be in lower case. */
export const isClickId = (name: string): boolean => Object.hasOwn(CLICK_IDS, name);

/** Returns the parameter that stands for an ad network in a URL, such as `gclid` for `google`. */
export const findClickId = (network: string): string | undefined => NAMES.find((name) => CLICK_IDS[name] === network);

export const AD_NETWORKS: readonly string[] = [...new Set(Object.values(CLICK_IDS))];
