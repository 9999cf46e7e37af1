import { hash } from 'node:crypto';
import { addSaltsAhead } from '../collect/visitor.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { findMirror } from '../store/cluster/copied-tables.ts';
import type { Db } from '../store/db.ts';
import type { Settings } from './messages.ts';

/** Each collector asks once a second. The settings are read from the database at most once in half a second. */
const KEPT_MS = 500;

type Deps = { db: Db; engine: string; clock: Clock; random: Random };

/**
 * Builds a function that gives the settings for collectors. `tag` is their hash, by which a collector sees whether it
 * has them already. Tomorrow's salts are made early, so that collectors have them at midnight.
 */
export function buildSettings({ db, engine, clock, random }: Deps): () => { tag: string; settings: Settings } {
  let kept: { tag: string; settings: Settings } | undefined;
  let madeAt = 0;
  return () => {
    if (kept && clock.tick() - madeAt < KEPT_MS) return kept;
    addSaltsAhead(db, seconds(clock), random);
    const settings = { engine, mirror: findMirror(db) };
    madeAt = clock.tick();
    kept = { tag: hash('sha256', JSON.stringify(settings)), settings };
    return kept;
  };
}
