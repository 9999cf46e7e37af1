// Keeps a note about a move in the database file. While hits are moved, the note has the name of the target. After the
// switch to the other engine, the note says which place (file or cluster) is being emptied. Without a move, the note is
// empty.
//
// Invariant: an interrupted move leaves its note, so the next run knows where to continue.
//
// move-days.ts begins a move. move-rest.ts changes the note at the switch and at the end.

import type { Db } from '../store/db.ts';
import { findUpkeep, noteUpkeep } from '../store/server/upkeep.ts';
import { now } from './command.ts';

export const noteMoving = (db: Db, words: string): void => noteUpkeep(db, 'moving', { at: now(), fine: true, words });

/**
 * Notes that the place `source` is being emptied. If the command is interrupted, the next run finds the note and
 * continues.
 */
export const noteEmptying = (db: Db, source: string): void => noteMoving(db, writeEmptying(source));

export const isMovingTo = (db: Db, name: string): boolean => findNote(db) === name;
export const isEmptying = (db: Db, source: string): boolean => findNote(db) === writeEmptying(source);

const writeEmptying = (source: string): string => `emptying ${source}`;
const findNote = (db: Db): string | undefined => findUpkeep(db, 'moving')?.words;
