import { listGone, listUnshown } from '../../catalog/day-states.ts';
import { listOpenImports } from '../../catalog/imports.ts';
import { listSlices } from '../../catalog/sealed-days.ts';
import type { Range } from '../../stats/question.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import type { Known } from './plan.ts';

/** All days that there are. */
export const EVER: Range = { from: 0, to: 65_535 };

/** What the primary knows of some days of a site. */
export const knownOf = (db: Db, siteId: number, { from, to }: Range): Known =>
  db.read(() => ({
    shown: {
      parts: listSlices(db, siteId, from, to),
      gone: listGone(db, siteId, from, to),
      unshown: listUnshown(db, siteId),
      imports: listOpenImports(db, siteId, from, to),
    },
    exclusions: listExclusions(db, siteId),
  }));
