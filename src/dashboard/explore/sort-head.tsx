import type { ComponentChildren } from 'preact';
import { changeView } from '../core/address.ts';
import type { Question } from './question.ts';

type Props = {
  by: Question['sort'];
  question: Question;
  /** Whether the column has names. A first click then sorts them from A to Z, and figures from the largest. */
  isName?: boolean;
  children: ComponentChildren;
};

/** The head of a column that the rows can be sorted by. A second click turns the order. */
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
