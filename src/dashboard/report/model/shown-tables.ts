import { BREAKDOWNS } from '../../../stats/dimensions.ts';
import { addPlaces } from '../../../stats/dimensions-off.ts';
import { boot } from '../../core/boot.ts';
import type { Scope } from '../../core/scope.ts';
import type { Table } from './tables.ts';

/**
 * Lists the tables of the dimensions that the site stores. Reports of all sites show all tables. A site stores regions
 * and cities only with the setting `places`.
 */
export function listShown(tables: readonly Table[], scope: Scope): Table[] {
  if (scope.kind === 'all') return [...tables];
  const { site } = scope;
  const off: readonly string[] =
    boot.share?.dimensionsOff ?? addPlaces(site?.dimensions_off ?? [], site?.places === true);
  return tables.filter(({ id }) => id === 'sites' || !off.includes(BREAKDOWNS[id]));
}
