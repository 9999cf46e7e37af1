import { changeView } from '../../core/address.ts';
import type { View } from '../../core/view.ts';
import type { Table } from '../model/tables.ts';
import type { Sort } from './details-table.tsx';

/** Parameters of the URL: which table is open in the details dialog, and how the table is sorted. */
const [OPEN, SORT] = ['details', 'sort'] as const;

export const openTableId = ({ more }: View): string | undefined => more[OPEN];
export const sortIn = ({ more }: View): string | undefined => more[SORT];

/** Opens the details dialog of a table. `more` has further parameters for the URL, such as an event. */
export const openDetails = (view: View, { id }: Table, more: Record<string, string> = {}): void =>
  changeView({ more: { ...view.more, ...more, [OPEN]: id } });

export const closeDetails = ({ more }: View): void =>
  changeView({ more: { ...more, [OPEN]: '', [SORT]: '' } }, 'replace');

export const sortBy = ({ more }: View, by: Sort): void =>
  changeView({ more: { ...more, [SORT]: by ?? '' } }, 'replace');
