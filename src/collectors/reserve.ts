/*
 * The reserve of a collector: a file beside its outbox that is given up when the disk is full. To send what waits takes room on the
 * disk too: which parcel is under way is written down first, and what is removed is overwritten in the WAL. Without a reserve a full disk
 * would never drain, even when the cluster is back.
 *
 * Invariant: hits are taken only while the reserve is there. So what is written without it is what sending needs.
 *
 * Example, with sizes in MB: of the disk 15 are free, which is less than 16. The collector takes no more hits and gives up its 32. What
 * waits is sent with 47. When everything is sent, the outbox shrinks by what it had. Of 64 free, 32 are the reserve again, and hits are
 * taken.
 *
 * Tests: test/collectors/reserve.test.ts, test/cluster/disk.test.ts.
 */
import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { freeBytes } from '../lib/disk.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { firstWaiting, type Outbox } from '../store/cluster/outbox.ts';
import type { Doors } from './doors.ts';

const MIB = 1024 * 1024;

/** A parcel of 16 MB that is removed takes as much of the WAL, and as much again for the next one. */
const RESERVE_BYTES = 32 * MIB;

/** With less free space no hits are taken. In a second, between two looks, a collector writes as much at most. */
const LOW_BYTES = 16 * MIB;

/** With so much free space hits are taken again: for the reserve and for a while. */
const ROOM_BYTES = RESERVE_BYTES + 2 * LOW_BYTES;

const placeOf = (path: string): string => `${path}.reserve`;

const giveUp = (path: string): void => rmSync(placeOf(path), { force: true });

/** Call it before the outbox is opened, which takes some room as well. */
export function makeRoomToOpen(path: string): void {
  if (existsSync(placeOf(path)) && freeBytes(dirname(path)) < LOW_BYTES) giveUp(path);
}

const isThere = (path: string): boolean => statSync(placeOf(path), { throwIfNoEntry: false })?.size === RESERVE_BYTES;

/** Writes the reserve; false if there is no room for it. What is random takes its room also where the disk compresses. */
function make(path: string, random: Random): boolean {
  const file = openSync(placeOf(path), 'w', 0o600);
  try {
    for (let written = 0; written < RESERVE_BYTES; written += MIB)
      if (writeSync(file, random(MIB)) < MIB) throw new Error('there is no room');
    return true;
  } catch {
    giveUp(path);
    return false;
  } finally {
    closeSync(file);
  }
}

type Deps = { gate: Doors; intake: { countWaiting(): number }; log: Log; random: Random };

/** Looks each second whether there is room for hits. It must not throw. */
export function reserve({ db, path }: Outbox, { gate, intake, log, random }: Deps): () => void {
  const free = (): number => freeBytes(dirname(path));

  function close(): void {
    const event = gate.shut('disk');
    if (event !== undefined) log(event, { free: free() });
    giveUp(path);
  }

  const hasMade = (): boolean => free() >= ROOM_BYTES && db.isWritable() && make(path, random);

  function tryToOpen(): void {
    if (intake.countWaiting() === 0 && firstWaiting(db) === undefined) db.shrink();
    if (hasMade() && gate.open('disk')) log('there is room on the disk of the outbox again; hits are taken');
  }

  return () => {
    try {
      if (gate.isShut('disk')) tryToOpen();
      else if (free() < LOW_BYTES || !db.isWritable() || !(isThere(path) || hasMade())) close();
    } catch (error) {
      const event = gate.shut('disk');
      if (event !== undefined) log(event, { message: (error as Error).message });
    }
  };
}
