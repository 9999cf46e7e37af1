/** Parameters in which ad networks put the id of a click, and the networks. The id itself is never read. */
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
 * Gives the ad network whose click id the URL has, such as `google` for `?gclid=…`. Without one, gives an empty text.
 */
export function findAd({ search, searchParams }: URL): string {
  if (search === '') return '';
  const name = NAMES.find((one) => searchParams.has(one));
  return name === undefined ? '' : (CLICK_IDS[name] ?? '');
}

/** Tells whether a parameter has the id of a click on an ad. `name` is in lower case. */
export const isClickId = (name: string): boolean => Object.hasOwn(CLICK_IDS, name);

/** The parameter that stands for an ad network in a URL, such as `gclid` for `google`. */
export const findClickId = (network: string): string | undefined => NAMES.find((name) => CLICK_IDS[name] === network);

export const AD_NETWORKS: readonly string[] = [...new Set(Object.values(CLICK_IDS))];
