// The command `daybook move` moves all hits from the database file to a cluster, or back.
//
// In the first run, the server may run. The command then moves sealed days (move-days.ts). An interrupted move
// continues where it stopped. When all sealed days have arrived, the operator stops the server. The next run moves the
// open days and switches the file to the other engine (move-rest.ts). move-way.ts has the two directions, and
// move-note.ts has the note about a running move.

import { realpathSync, statSync } from 'node:fs';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import type { Db } from '../store/db.ts';
import { takeLock } from '../store/file/lock.ts';
import { giveTo } from '../store/file/restore.ts';
import { type Command, type Invocation, withStore } from './command.ts';
import { beginMove, moveDays } from './move-days.ts';
import { endInterrupted, moveRest } from './move-rest.ts';
import { assertNothingWaits, FILE, openWayBack, openWayToCluster } from './move-way.ts';

/**
 * Takes the lock of the database file, so that no server can start during the move. Returns undefined if a running
 * server holds the lock.
 */
function lockAgainstServer(path: string): { close(): void } | undefined {
  try {
    return takeLock(path, 'a server runs');
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/**
 * Takes the lock of a move, so that only one move runs at a time. Two moves would store a day twice, or delete what the
 * other one has moved (test/cluster/move-twice.test.ts).
 */
function lockAgainstMove(path: string): { close(): void } {
  const name = `${path}.move`;
  const lock = takeLock(name, 'another move runs. Wait until it has ended, or stop it. Then run this again');
  giveTo(statSync(path), `${name}.lock`);
  return lock;
}

async function move(invocation: Invocation): Promise<void> {
  await withStore(invocation.config, async (db) => {
    // The server locks the path without symbolic links, so this command must lock the same path.
    const path = realpathSync(invocation.config.db);
    const only = lockAgainstMove(path);
    try {
      await moveAlone(invocation, db, path);
    } finally {
      only.close();
    }
  });
}

/** `path` is the path of the database file without symbolic links. */
async function moveAlone({ flags, config, io }: Invocation, db: Db, path: string): Promise<void> {
  const target = flags.to ?? '';
  const isBack = target === FILE;
  const how = isBack ? 'without --engine' : `with --engine ${target.replace(/:[^:@/]+@/, ':…@')}`;
  if (await endInterrupted(db, target, config.engine))
    return io.print(`everything was moved before. The hits in the old place are now deleted. Start the server ${how}`);
  const way = isBack ? await openWayBack(config.engine, db) : await openWayToCluster(target, db);
  await beginMove(way);
  const own = lockAgainstServer(path);
  try {
    if (own && isBack) assertNothingWaits(db, path);
    const held = await moveDays(way, own !== undefined);
    const days = plural(held.length, 'sealed day');
    if (!own) {
      const rest = `${days} moved and verified, no differences. The server goes on as before`;
      return io.print(`${rest}. Stop it and run this again. That moves the hits of today, in seconds`);
    }
    const hits = await moveRest(way, held, how);
    io.print(`${days} and ${plural(hits, 'hit')} of open days moved. Start the server ${how}`);
  } finally {
    own?.close();
  }
}

export const moveCommands: Command[] = [
  {
    name: 'move',
    isUntimed: true,
    args: [],
    summary: 'Move all hits to a cluster or back into the file. Stop the server for the last step only',
    settings: ['db', 'engine'],
    flags: { to: { value: 'URL', help: 'a cluster as in --engine, or the word file', required: true } },
    run: move,
  },
];
