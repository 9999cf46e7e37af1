import { listGone, listUnshown } from '../../catalog/day-states.ts';
import { listOpenImports } from '../../catalog/imports.ts';
import { listReduced } from '../../catalog/reduced-days.ts';
import { listSlices } from '../../catalog/sealed-days.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import type { KnownDays } from './day-groups.ts';

/** All days that can be stored: the column `day` in ClickHouse has 16 bits. */
export const EVER: Range = { from: 0, to: 65_535 };

/**
 * Reads the sealed days, imports and exclusions of a site in one transaction. So a day that becomes sealed meanwhile
 * counts either as rows or as visits, never twice.
 */
export const readKnownDays = (db: Db, siteId: number, { from, to }: Range): KnownDays =>
  db.read(() => {
    const slices = listSlices(db, siteId, from, to);
    const exclusions = listExclusions(db, siteId);
    const withoutHits = exclusions.length === 0 ? [] : slices.filter(({ hasHits }) => hasHits === 0);
    return {
      shown: {
        slices,
        closed: listGone(db, siteId, from, to),
        unshown: listUnshown(db, siteId),
        imports: listOpenImports(db, siteId, from, to),
      },
      exclusions,
      reduced: listReduced(
        db,
        withoutHits.map(({ id }) => id),
      ),
    };
  });
