import { BREAKDOWNS, type Breakdown, isOfProperties, type PropertyBreakdown } from '../../stats/dimensions.ts';
import type { Column } from '../column/packing.ts';
import { findProperties, readProperty } from '../column/properties.ts';
import type { Day } from '../day/day.ts';
import type { Texts } from '../rows/terms.ts';
import { type ColumnDimensionOrChannel, readDimension } from './dimension-column.ts';
import { type HitTest, makeZeros } from './hit-filter.ts';
import { hasText } from './term-filter.ts';

/** A column with the values of a breakdown. With `where`, only hits that pass these tests count. */
type ValueColumn = { column: Column; where?: HitTest['where'] };

/**
 * Reads the columns of a breakdown. Most breakdowns have one column. The breakdown by property names has one column for
 * each name, because a hit may have several properties.
 */
export type ReadValues = (day: Day) => Iterable<ValueColumn>;

/**
 * Returns a function that reads the columns of a breakdown. In a breakdown by property values, `property` is the name
 * of the property.
 */
export function readBreakdown(breakdown: Breakdown, property: string, texts: Texts): ReadValues {
  if (isOfProperties(breakdown)) return READERS[breakdown](texts, property);
  const read = readDimension(BREAKDOWNS[breakdown] as ColumnDimensionOrChannel, texts);
  return (day): ValueColumn[] => [{ column: read(day) }];
}

const READERS: Record<PropertyBreakdown, (texts: Texts, property: string) => ReadValues> = {
  properties: (texts) =>
    function* listNames(day): Generator<ValueColumn> {
      const { names, column } = findProperties(day, texts);
      const codes = makeZeros(day);
      for (const name of names()) {
        const values = column(name);
        const terms = Uint32Array.of(texts.findTerm(name) ?? 0);
        yield { column: { terms, codes }, where: [[() => values, hasText]] };
      }
    },
  property_values: (texts, property) => {
    const read = readProperty(property, texts);
    return (day): ValueColumn[] => {
      const column = read(day);
      return [{ column, where: [[() => column, hasText]] }];
    };
  },
};
