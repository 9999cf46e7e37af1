// The servers of a cluster, as the primary's file knows them: which of them have all hits, and which have to be filled.
//
// Invariant: only complete servers are asked for answers. A server is complete when it has all that was delivered and
// sealed; only the primary changes its state.
//
// Example: a replica misses a statement at 10:00 and becomes `lacking`. When it answers again it becomes `filling`: it
// gets new rows and a copy of the rest, and is `complete` again after that. src/cluster/fill changes these states, and
// src/cluster/servers reads them.

import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

/**
 * The states of a server. `complete`: it has all that was delivered and sealed. `lacking`: it lacks something, is not
 * asked, and gets nothing. `filling`: it gets new rows and a copy of the rest, and is not asked yet.
 */
export const SERVER_STATES = ['complete', 'lacking', 'filling'] as const;
type ServerState = (typeof SERVER_STATES)[number];

/** Why a server lacks something: it missed a statement, has no mark, or has an older mark than it should have. */
export type LackReason = 'missed' | 'empty' | 'restored';

/** A server of the cluster. `fill` is the number of its latest copy. */
export type Server = { url: string; shard: number; replica: number; state: ServerState; fill: number };

export const listServers = (db: Db): Server[] =>
  db.all('SELECT url, shard, replica, state, fill FROM cluster_server ORDER BY shard, replica');

/** A server with the mark that it should have, and details for the operator. */
export type KnownServer = Server & {
  reason: LackReason | '';
  since: number;
  progress: string;
  isWanted: number;
  beat: number;
};

export const listKnownServers = (db: Db): KnownServer[] =>
  db.all(`SELECT url, shard, replica, state, fill, reason, since, progress, is_wanted AS isWanted, beat
    FROM cluster_server ORDER BY shard, replica`);

/** Notes the number of a mark that a server has. Call it inside a transaction. */
export const noteBeat = (db: Db, url: string, beat: number): void => {
  db.run('UPDATE cluster_server SET beat = max(beat, ?) WHERE url = ?', beat, url);
};

/** Forgets the mark that a server should have, so that any mark is right. Call it inside a transaction. */
export const forgetBeat = (db: Db, url: string): void => {
  db.run('UPDATE cluster_server SET beat = 0 WHERE url = ?', url);
};

/** Notes how far the copy of a server is: a code with its values as text. Call it inside a transaction. */
export const noteProgress = (db: Db, url: string, progress: string): void => {
  db.run("UPDATE cluster_server SET progress = ? WHERE url = ? AND state = 'filling'", progress, url);
};

/**
 * Asks for a server to be filled as soon as it answers. A complete one is filled once another server of its shard
 * answers too. Call it inside a transaction.
 */
export const wantFill = (db: Db, url: string): void => {
  db.run("UPDATE cluster_server SET is_wanted = 1 WHERE url = ? AND state <> 'filling'", url);
};

type Change =
  | { state: 'complete'; now: number }
  | { state: 'lacking'; reason: LackReason; now: number }
  | { state: 'filling'; now: number };

/** Changes the state of a server. Each copy gets a number that no earlier one had. Call it inside a transaction. */
export function changeServerState(db: Db, url: string, change: Change): void {
  const { state, now } = change;
  const reason = state === 'lacking' ? change.reason : '';
  const { next = 0 } = db.one<{ next: number }>('SELECT max(fill) + 1 AS next FROM cluster_server') ?? {};
  const sql = `UPDATE cluster_server SET state = ?, reason = ?, since = ?, fill = max(fill, ?), progress = '', is_wanted = 0
    WHERE url = ?`;
  db.run(sql, state, reason, now, state === 'filling' ? Math.max(now, next) : 0, url);
}

/** Tells whether a cluster keeps the hits. */
export const isOnCluster = (db: Db): boolean => db.one('SELECT 1 FROM cluster_server LIMIT 1') !== undefined;

/** Refuses a file whose hits are on a cluster: here it would look empty, and new hits would be in two places. */
export function assertNotOnCluster(db: Db): void {
  if (isOnCluster(db))
    throw new Refusal('the hits of this file are on a cluster; name it with --engine, as before', UNUSABLE);
}

type ServerPlace = Pick<Server, 'url' | 'shard' | 'replica'>;

/** Sets the list of servers. A known server keeps its state; a new one is complete. Call it inside a transaction. */
export function setServers(db: Db, servers: readonly ServerPlace[]): void {
  const urls = JSON.stringify(servers.map(({ url }) => url));
  db.run('DELETE FROM cluster_server WHERE url NOT IN (SELECT value FROM json_each(?))', urls);
  const sql = `INSERT INTO cluster_server (url, shard, replica) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET shard = excluded.shard, replica = excluded.replica`;
  for (const { url, shard, replica } of servers) db.run(sql, url, shard, replica);
}
