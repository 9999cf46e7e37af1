import type { ComponentChildren } from 'preact';
import { changeView } from '../core/address.ts';
import type { Question } from './question.ts';

type Props = {
  by: Question['sort'];
  question: Question;
  /**
   * Whether the column contains names. A first click then sorts from A to Z. In a column of figures, the largest figure
   * comes first.
   */
  isName?: boolean;
  children: ComponentChildren;
};

/** The head of a column that can sort the rows. A second click reverses the order. */
export function SortHead({ by, question: { sort, order }, isName = false, children }: Props) {
  const isSorted = by === sort;
  const turned = order === 'asc' ? 'desc' : 'asc';
  const next = isSorted ? turned : isName ? 'asc' : 'desc';
  return (
    <th
      scope="col"
      class={isName ? '' : 'number'}
      aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" class="details-table-sort" onClick={() => changeView({ sort: by, order: next }, 'replace')}>
        {children}
      </button>
    </th>
  );
}
