import { changeView } from '../address.ts';
import type { View } from '../view.ts';
import type { Sort } from './details-table.tsx';
import type { Table } from './tables.ts';

/** Which table is open stands in the address, and by what it is sorted. */
const [OPEN, SORT] = ['details', 'sort'] as const;

export const openTableId = ({ more }: View): string | undefined => more[OPEN];
export const sortIn = ({ more }: View): string | undefined => more[SORT];

/** `more` is what else the table is about. */
export const openDetails = (view: View, { id }: Table, more: Record<string, string> = {}): void =>
  changeView({ more: { ...view.more, ...more, [OPEN]: id } });

export const closeDetails = ({ more }: View): void =>
  changeView({ more: { ...more, [OPEN]: '', [SORT]: '' } }, 'replace');

export const sortBy = ({ more }: View, by: Sort): void =>
  changeView({ more: { ...more, [SORT]: by ?? '' } }, 'replace');
