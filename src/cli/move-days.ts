// Moves the sealed days, which is the first part of a move to another engine. The server may run meanwhile. Up to 100
// days are moved at a time.
//
// Invariant: a day is noted as moved only after all of the day has arrived. An interrupted move therefore continues
// with the next day. If a moved day has been deleted at the source since, the day is deleted at the target too.
//
// Example: of 700 sealed days, 300 had arrived when the command was killed. The next run moves 400 days.
//
// move.ts calls `beginMove` and then `moveDays`. Test: test/cluster/move.test.ts.

import { stderr } from 'node:process';
import { listHeld } from '../catalog/day-states.ts';
import { addMoved, forgetMoved, listMoved, removeMoved } from '../catalog/moved-days.ts';
import type { TransferContent, TransferDay } from '../engine/transfer.ts';
import { Refusal } from '../lib/errors.ts';
import { clock } from './command.ts';
import { isMovingTo, noteMoving } from './move-note.ts';
import type { Way } from './move-way.ts';
import { progress } from './progress.ts';

/** The most sealed days in a batch. A batch also ends after about `VISITS_AT_ONCE` visits. */
const DAYS_AT_ONCE = 100;
const VISITS_AT_ONCE = 100_000;

/** Begins a move, or continues an interrupted move to the same target. A target with other hits is refused. */
export async function beginMove({ db, to, name }: Way): Promise<void> {
  if (isMovingTo(db, name)) return;
  if (!(await to.isEmpty()))
    throw new Refusal(`${name} has hits already. Name an empty place, or delete the hits there`);
  db.write(() => forgetMoved(db));
  noteMoving(db, name);
}

/**
 * Moves the sealed days that have not arrived yet. Deletes moved days at the target if they no longer exist at the
 * source. Returns all sealed days. `isLast` is true if no server runs any more.
 */
export async function moveDays({ db, from, to }: Way, isLast: boolean): Promise<readonly TransferDay[]> {
  const held = listHeld(db).map(
    ({ id, siteId, day, slice, hasHits, ...totals }): TransferDay => ({
      id,
      siteId,
      day,
      slice,
      hasHits: hasHits === 1,
      totals,
    }),
  );
  const moved = listMoved(db);
  const ids = new Set(held.map(({ id }) => id));
  const gone = [...moved].filter((id) => !ids.has(id));
  await to.deleteDays(gone);
  db.write(() => removeMoved(db, gone));
  // Retention may delete the hits of a day after the day was moved. For this reason, the run without a server moves
  // all totals-only days again.
  const due = held.filter(({ id, hasHits }) => !moved.has(id) || (isLast && !hasHits));
  const bar = progress(stderr, clock.tick, 'moving', due.length);
  try {
    for (const batch of batches(due)) {
      await to.deleteDays(batch.map(({ id }) => id));
      const handed = batch.map(
        (day): TransferContent => ({
          ...day,
          readVisits: () => from.readVisits(day),
          readSums: () => from.readSums(day),
          readReduced: () => from.readReduced(day),
        }),
      );
      await to.takeDays(handed);
      db.write(() =>
        addMoved(
          db,
          batch.map(({ id }) => id),
        ),
      );
      bar.add(batch.length);
    }
  } finally {
    bar.end();
  }
  return held;
}

function* batches(days: readonly TransferDay[]): Generator<TransferDay[]> {
  let [some, visits]: [TransferDay[], number] = [[], 0];
  for (const day of days) {
    if (some.length >= DAYS_AT_ONCE || (some.length > 0 && visits + day.totals.visits > VISITS_AT_ONCE)) {
      yield some;
      [some, visits] = [[], 0];
    }
    some.push(day);
    visits += day.totals.visits;
  }
  if (some.length > 0) yield some;
}
