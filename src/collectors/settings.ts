import { hash } from 'node:crypto';
import { addSaltsAhead } from '../collect/visitor.ts';
import type { Random } from '../lib/secrets.ts';
import { findMirror } from '../store/cluster/copied-tables.ts';
import { listDivisions } from '../store/cluster/divisions.ts';
import type { Db } from '../store/db.ts';
import type { Settings } from './messages.ts';

/**
 * How long settings stay in memory, because each collector asks for them once a second. The settings are read again
 * earlier if a division has changed. A division says among how many shards the visitors of a day are divided. A new
 * collector that gets older divisions could divide a day among shards in another way than the other collectors.
 */
const KEPT_MS = 500;

type Deps = { db: Db; engine: string; random: Random };

/**
 * Builds a function that returns the settings for collectors at the time `now`, in milliseconds. `tag` is the hash of
 * the settings. A collector reports the hash that it has, so the primary sends the settings only if the hash has
 * changed. Tomorrow's salts are made early, so that collectors have them at midnight.
 *
 * The settings stay in memory for `KEPT_MS`. If the clock jumps, the function reads the settings from the database
 * again, because collectors then need the salts of the new day.
 */
export function buildSettings({ db, engine, random }: Deps): (now: number) => { tag: string; settings: Settings } {
  let kept: { tag: string; settings: Settings } | undefined;
  let madeAt = 0;
  let divisions = '';
  return (now) => {
    const before = divisions;
    divisions = JSON.stringify(listDivisions(db));
    if (kept && divisions === before && Math.abs(now - madeAt) < KEPT_MS) return kept;
    addSaltsAhead(db, Math.floor(now / 1000), random);
    const settings = { engine, mirror: findMirror(db) };
    madeAt = now;
    kept = { tag: hash('sha256', JSON.stringify(settings)), settings };
    return kept;
  };
}
