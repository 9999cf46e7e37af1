// The command `daybook move` moves all hits from the database file to a cluster, or back.
//
// In the first run, the server may run. The command then moves sealed days (move-days.ts). An interrupted move
// continues where it stopped. When all sealed days have arrived, the operator stops the server. The next run moves the
// open days and switches the file to the other engine (move-rest.ts). move-way.ts has the two directions, and
// move-note.ts has the note about a running move.

import { realpathSync } from 'node:fs';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { takeLock } from '../store/file/lock.ts';
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

async function move({ flags, config, io }: Invocation): Promise<void> {
  const target = flags.to ?? '';
  const isBack = target === FILE;
  await withStore(config, async (db) => {
    const how = isBack ? 'without --engine' : `with --engine ${target.replace(/:[^:@/]+@/, ':…@')}`;
    if (await endInterrupted(db, target, config.engine))
      return io.print(
        `everything was moved before. The hits in the old place are now deleted. Start the server ${how}`,
      );
    const way = isBack ? await openWayBack(config.engine, db) : await openWayToCluster(target, db);
    // The server locks the path without symbolic links, so this command must lock the same path.
    const path = realpathSync(config.db);
    await beginMove(way);
    const own = lockAgainstServer(path);
    try {
      if (own && isBack) assertNothingWaits(db, path);
      const days = await moveDays(way, own !== undefined);
      if (!own) {
        const rest = `${plural(days, 'sealed day')} moved and verified, no differences. The server goes on as before`;
        return io.print(`${rest}. Stop it and run this again. That moves the hits of today, in seconds`);
      }
      const hits = await moveRest(way, how);
      io.print(`${plural(days, 'sealed day')} and ${plural(hits, 'hit')} of open days moved. Start the server ${how}`);
    } finally {
      own?.close();
    }
  });
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
