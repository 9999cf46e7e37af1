import { BREAKDOWNS } from '../../../stats/dimensions.ts';
import { boot } from '../../core/boot.ts';
import type { Scope } from '../../core/scope.ts';
import type { Table } from './tables.ts';

/** Lists the tables without those of dimensions that the site does not keep. Reports of all sites show all tables. */
export function listShown(tables: readonly Table[], scope: Scope): Table[] {
  if (scope.kind === 'all') return [...tables];
  const off: readonly string[] = boot.share?.dimensionsOff ?? scope.site?.dimensions_off ?? [];
  return tables.filter(({ id }) => id === 'sites' || !off.includes(BREAKDOWNS[id]));
}
