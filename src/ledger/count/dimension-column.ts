// Reads the column of a dimension. The channel is not stored. The column of channels is computed from four other
// columns of visits.
//
// Invariant: each visit has the channel that `findChannel` returns for its texts (test/stats/answers.long.test.ts).
//
// Example: a day has 40 sources and 100,000 visits. Each source has a class, such as search engine. The class of each
// of the 40 sources is looked up once. After that, each visit takes four reads from lists, and one lookup in a table of
// all combinations of classes.
import { CHANNELS, findAdClass, findMedium, findOrigin } from '../../classify/channel.ts';
import { CLASSES, makeChannelTable, STEPS } from '../../classify/channel-table.ts';
import type { ColumnDimension, DimensionName } from '../../stats/dimensions.ts';
import type { Column } from '../column/packing.ts';
import type { Day } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';

export type ReadColumn = (day: Day) => Column;

export type ColumnDimensionOrChannel = ColumnDimension | 'channel';

/**
 * Returns a function that reads the column of a dimension. The dimension must have one value for each visit or hit.
 * Properties are not allowed, because a hit may have several properties.
 */
export const readDimension = (name: ColumnDimensionOrChannel, texts: Texts): ReadColumn =>
  name === 'channel' ? makeChannelReader(texts) : ({ column }) => column(name);

/**
 * Returns the texts of a dimension's terms. The terms of channels are the numbers of a fixed list, which all sites
 * share.
 */
export const chooseTexts = <Some extends Partial<Texts>>(name: DimensionName, texts: Some): Some | Texts =>
  name === 'channel' ? CHANNEL_TEXTS : texts;

const CHANNEL_TEXTS: Texts = {
  findTerm: (text) => (text === '' ? 0 : (CHANNELS as readonly string[]).indexOf(text) + 1 || undefined),
  readText: (term) => CHANNELS[term - 1] ?? '',
};

const TERMS = Uint8Array.from(CHANNELS, (_, i) => i + 1);

const PARTS = [
  ['utm_source', (text: string) => CLASSES.origins.indexOf(findOrigin(text))],
  ['source', (text: string) => CLASSES.origins.indexOf(findOrigin(text))],
  ['utm_medium', (text: string) => CLASSES.media.indexOf(findMedium(text))],
  ['ad', (text: string) => CLASSES.ads.indexOf(findAdClass(text))],
] as const;

function makeChannelReader({ readText }: Texts): ReadColumn {
  const parts = PARTS.map(([name, findClass]) => {
    // The result for each term is remembered, because most days of a query have the same terms.
    const known = new Map<number, number>();
    const findPlace = (term: number): number => {
      const place = known.get(term) ?? findClass(readText(term)) * STEPS[name];
      known.set(term, place);
      return place;
    };
    return [name, findPlace] as const;
  });
  function makeColumn(day: Day): Column {
    const places = new Uint16Array(day.totals.visits);
    for (const [name, findPlace] of parts) {
      const column = day.column(name);
      addPlaces(places, column, Uint16Array.from(column.terms, findPlace));
    }
    return { terms: TERMS, codes: lookUp(places, makeChannelTable()) };
  }
  return (day) => day.channels?.(() => makeColumn(day)) ?? makeColumn(day);
}

/**
 * A place is an index in the table of all combinations of classes. The place of a visit is the sum of four numbers, one
 * from each column. This function adds the number from one column to the places of all visits. `ofCodes` has this
 * number for each code of the column. This function and `lookUp` are at the top level of the file. V8 frees compiled
 * inner functions between queries. As inner functions, their loops would be slow at the beginning of each query.
 */
function addPlaces(places: Uint16Array, { codes }: Column, ofCodes: Uint16Array): void {
  for (let visit = 0; visit < places.length; visit++) {
    places[visit] = (places[visit] as number) + (ofCodes[codes[visit] as number] as number);
  }
}

function lookUp(places: Uint16Array, table: Uint8Array): Uint8Array {
  const codes = new Uint8Array(places.length);
  for (let visit = 0; visit < codes.length; visit++) codes[visit] = table[places[visit] as number] as number;
  return codes;
}
