import { changeView } from '../../core/address.ts';
import type { View } from '../../core/view.ts';
import type { Table } from '../model/tables.ts';
import type { Sort } from './details-table.tsx';

/**
 * Opens the details dialog of a table. `change` has further changes of the URL, such as the event whose labels are
 * shown.
 */
export function openDetails({ id }: Table, change: Partial<View> = {}): void {
  if (id !== 'sites') changeView({ ...change, details: id });
}

export const closeDetails = (): void => changeView({ details: '', sort: '', order: 'desc' }, 'replace');

/** Sorts by a figure, the largest first. If the rows are already sorted in this way, the smallest comes first. */
export function sortBy({ sort, order }: View, by: Sort): void {
  const name = by ?? '';
  changeView({ sort: name, order: sort === name && order === 'desc' ? 'asc' : 'desc' }, 'replace');
}
