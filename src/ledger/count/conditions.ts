import type { ReadColumn } from './dimension-column.ts';
import type { HitTest } from './hit-filter.ts';
import type { ColumnTest, TermTest } from './term-filter.ts';

/**
 * The conditions of a query on visits and hits. A visit passes if three things are true. Its values pass all tests in
 * `values`. For each list in `some`, a hit of the visit passes at least one test of the list. No hit of the visit
 * passes a test in `none`.
 */
export type Conditions = {
  values: (readonly [ReadColumn, ColumnTest])[];
  some: HitTest[][];
  none: HitTest[][];
  /** The filters as a text. The cache of selections uses this text as its key. */
  text: string;
  /**
   * The test that a hit must pass to count. With filters by page and host name, only hits that pass both filters count.
   * Without such filters, every hit counts.
   */
  narrowing: HitTest;
  pages: TermTest | undefined;
  /**
   * Groups of conditions. If there are groups, a visit must pass at least one of them. Filters outside of the groups
   * apply to every group. So the conditions of these filters are copied into each group. If `any` is present, the
   * fields `values` and `none` beside it are empty.
   */
  any?: readonly Conditions[];
};

export const isUnfiltered = ({ values, some, none, any }: Conditions): boolean =>
  any === undefined && values.length + some.length + none.length === 0;

export const hasOnlyPages = ({ values, some, none, narrowing, pages }: Conditions): boolean =>
  pages !== undefined && narrowing.where?.length === 1 && values.length + none.length === 0 && some.length === 1;
