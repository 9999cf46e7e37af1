import type { ReadColumn } from './dimension-column.ts';
import type { HitTest } from './hit-filter.ts';
import type { ColumnTest, TermTest } from './term-filter.ts';

/**
 * A visit passes if its columns pass all tests of `values`. For each list in `some`, a hit of the visit must pass a
 * test of the list. No hit of the visit may pass a test in `none`.
 */
export type Conditions = {
  values: (readonly [ReadColumn, ColumnTest])[];
  some: HitTest[][];
  none: HitTest[][];
  /** The filters as a text, which is the key in the cache of selections. */
  text: string;
  /**
   * A hit must pass this test to count. With filters by page and host name, only hits that pass both count. Without
   * such filters, every hit passes.
   */
  narrowing: HitTest;
  pages: TermTest | undefined;
  /** A visit must pass one of these groups too. Each group repeats the conditions of all other filters of the query. */
  any?: readonly Conditions[];
};

export const isUnfiltered = ({ values, some, none, any }: Conditions): boolean =>
  any === undefined && values.length + some.length + none.length === 0;

export const hasOnlyPages = ({ values, some, none, narrowing, pages }: Conditions): boolean =>
  pages !== undefined && narrowing.where?.length === 1 && values.length + none.length === 0 && some.length === 1;
