import type { Db } from '../store/db.ts';
import { findLastChangeOf } from '../store/sites/changes.ts';
import { listExclusions } from '../store/sites/exclusions.ts';
import { listShownImports } from './imports.ts';

/**
 * Describes, as one text, what decides which days and visits of a site count. The text has the ids of the shown
 * imports, of the exclusions, and of the latest change in the journal. Several threads may each read some days of one
 * query. If their texts differ, the site changed in between, and their counts cannot be added up.
 */
export const describeCounted = (db: Db, siteId: number): string =>
  [listShownImports(db, siteId), listExclusions(db, siteId), [{ id: findLastChangeOf(db, siteId) }]]
    .map((rows) => rows.map(({ id }) => id).join(' '))
    .join(', ');
