import { once } from '../lib/once.ts';
import { ADS, CHANNELS, chooseChannel, joinOrigins, MEDIA, ORIGINS } from './channel.ts';

const listClasses = <Name extends string>(table: readonly (readonly [Name, string])[]) => [
  ...table.map(([name]) => name),
  'other' as const,
  'none' as const,
];

/**
 * All classes of the texts that determine a channel. A class is a kind of sources, media or ads, such as `search`
 * (channel.ts). The number of a class is its index in one of these lists.
 */
export const CLASSES = { origins: listClasses(ORIGINS), media: listClasses(MEDIA), ads: listClasses(ADS) };

const [MEDIUM_STEP, SOURCE_STEP] = [CLASSES.ads.length, CLASSES.ads.length * CLASSES.media.length];

/**
 * Steps for writing a combination of four classes as one number. Each class has a number, which is multiplied by its
 * step, and the products are added. Example: there are 6 classes of ads, so the step of a medium is 6. The medium 3 and
 * the ad 2 give 3 × 6 + 2 = 20.
 */
export const STEPS = {
  utm_source: SOURCE_STEP * CLASSES.origins.length,
  source: SOURCE_STEP,
  utm_medium: MEDIUM_STEP,
  ad: 1,
} as const;

/**
 * Makes an array with the channel of each combination of four classes (`CLASSES`), as its index in `CHANNELS`. There
 * are some thousands of combinations. `STEPS` gives the place of a combination in the array.
 */
export const makeChannelTable = once((): Uint8Array => {
  const { origins, media, ads } = CLASSES;
  const places = origins.flatMap((tag) =>
    origins.flatMap((source) =>
      media.flatMap((medium) =>
        ads.map((ad) => CHANNELS.indexOf(chooseChannel({ origin: joinOrigins(tag, source), medium, ad }))),
      ),
    ),
  );
  return Uint8Array.from(places);
});
