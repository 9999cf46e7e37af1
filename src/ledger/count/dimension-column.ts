// Reads the column of a dimension. The channel is not stored. Its column is computed from four columns of visits.
//
// Invariant: the channel of a visit is the one that findChannel gives for its texts (test/stats/answers.test.ts).
//
// Example: a day has 40 sources and 100,000 visits. The classes of the 40 sources are looked up once. Then each visit
// takes four list reads and one lookup in a table of all combinations.
import { CHANNELS, findAdClass, findMedium, findOrigin } from '../../classify/channel.ts';
import { CLASSES, makeChannelTable, STEPS } from '../../classify/channel-table.ts';
import type { ColumnDimension, DimensionName } from '../../stats/dimensions.ts';
import type { Column } from '../column/packing.ts';
import type { Day } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';

export type ReadColumn = (day: Day) => Column;

export type ColumnDimensionOrChannel = ColumnDimension | 'channel';

/**
 * Reads a dimension with one value for each visit or hit. A hit may have several properties, so they are not read here.
 */
export const readDimension = (name: ColumnDimensionOrChannel, texts: Texts): ReadColumn =>
  name === 'channel' ? makeChannelReader(texts) : ({ column }) => column(name);

/** The texts of a dimension. The terms of channels are numbers of a fixed list, which all sites share. */
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
    // Most days of a query have the same terms, so the class of each term is remembered.
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
 * These loops are in functions at the top level of the file. V8 frees the compiled code of inner functions between two
 * queries.
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
