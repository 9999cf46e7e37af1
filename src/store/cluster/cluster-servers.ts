// The servers of a ClickHouse cluster, as the primary stores them in its file. For each server, the file says whether
// the server has all hits, or needs a copy of missing hits.
//
// Invariant: only complete servers answer queries. A complete server has all hits that were delivered and all sealed
// days. The primary and commands on its file change the states. Collectors only read them.
//
// Example: a statement does not reach a replica at 10:00, and the replica becomes `lacking`. As soon as it responds
// again, it becomes `filling`: it gets new rows, and a copy of all older rows. After the copy it is `complete`.
// src/cluster/fill changes these states, and src/cluster/servers reads them.

import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

/**
 * The states of a server. A `complete` server has all rows and answers queries. A `lacking` server gets no queries and
 * no new rows. A `filling` server gets new rows and a copy of all older rows, but no queries yet.
 */
export const SERVER_STATES = ['complete', 'lacking', 'filling'] as const;
type ServerState = (typeof SERVER_STATES)[number];

/**
 * Why a server lacks rows. `missed`: a statement failed on the server or did not reach it. `empty`: the server lacks
 * the mark, the row that names the installation. `restored`: the mark of the server is older than expected, because
 * somebody put an old disk back.
 */
export type LackReason = 'missed' | 'empty' | 'restored';

/** A server of the cluster. `fill` is the number of the latest fill, which copies missing rows to this server. */
export type Server = { url: string; shard: number; replica: number; state: ServerState; fill: number };

export const listServers = (db: Db): Server[] =>
  db.all('SELECT url, shard, replica, state, fill FROM cluster_server ORDER BY shard, replica');

export const countShards = (db: Db): number => new Set(listServers(db).map(({ shard }) => shard)).size;

/**
 * A server with details for the operator. Each minute, daybook writes a higher number to each server, the beat. `beat`
 * is the number that this server got last. A lower number on the server later shows that somebody put an old disk back.
 */
export type KnownServer = Server & {
  reason: LackReason | '';
  since: number;
  progress: string;
  isWanted: number;
  beat: number;
  /** 1 for a server that a command added. The option --engine need not name it. */
  isAdded: number;
  /** 1 if a command asked to remove the server. The running daybook removes it when no nightly work runs. */
  isLeaving: number;
};

export const listKnownServers = (db: Db): KnownServer[] =>
  db.all(`SELECT url, shard, replica, state, fill, reason, since, progress, is_wanted AS isWanted, beat,
      is_added AS isAdded, is_leaving AS isLeaving
    FROM cluster_server ORDER BY shard, replica`);

/**
 * Stores the beat that daybook has just written to a server. A lower beat on the server later shows that somebody put
 * an old disk back.
 */
export const noteBeat = (db: Db, url: string, beat: number): void => {
  db.run('UPDATE cluster_server SET beat = max(beat, ?) WHERE url = ?', beat, url);
};

/**
 * Forgets the beat of a server, for example because its mark was dropped before a fill. daybook then accepts whatever
 * beat the server has. Until daybook writes the next beat, it does not notice an old disk.
 */
export const forgetBeat = (db: Db, url: string): void => {
  db.run('UPDATE cluster_server SET beat = 0 WHERE url = ?', url);
};

/** Stores the progress of a fill for the operator. `progress` is a message code with its values, as JSON. */
export const noteProgress = (db: Db, url: string, progress: string): void => {
  db.run("UPDATE cluster_server SET progress = ? WHERE url = ? AND state = 'filling'", progress, url);
};

/** Requests a fill of a server, unless one is running. The fill begins as soon as the server responds. */
export const wantFill = (db: Db, url: string): void => {
  db.run("UPDATE cluster_server SET is_wanted = 1 WHERE url = ? AND state <> 'filling'", url);
};

type Change =
  | { state: 'complete'; now: number }
  | { state: 'lacking'; reason: LackReason; now: number }
  | { state: 'filling'; now: number };

/**
 * Changes the state of a server. A server that becomes `filling` gets a number for this fill. The number is higher than
 * all earlier numbers, so that a sender notices a new fill. Call this function inside a transaction.
 */
export function changeServerState(db: Db, url: string, change: Change): void {
  const { state, now } = change;
  const reason = state === 'lacking' ? change.reason : '';
  const { next = 0 } = db.one<{ next: number }>('SELECT max(fill) + 1 AS next FROM cluster_server') ?? {};
  const sql = `UPDATE cluster_server SET state = ?, reason = ?, since = ?, fill = max(fill, ?), progress = '', is_wanted = 0
    WHERE url = ?`;
  db.run(sql, state, reason, now, state === 'filling' ? Math.max(now, next) : 0, url);
  if (state === 'complete') forgetLost(db, url);
}

/**
 * Forgets which rows of lost collectors a server has received. A collector is lost if it was removed before it had sent
 * all of its rows. Call this function for a server that became `complete`, because it then counts as having all rows.
 */
function forgetLost(db: Db, url: string): void {
  const others = "SELECT json_group_array(json(value)) FROM json_each(servers) WHERE value ->> 'url' <> ?";
  db.run(`UPDATE retired_collector SET servers = (${others}) WHERE servers <> '[]'`, url);
}

export const isOnCluster = (db: Db): boolean => db.one('SELECT 1 FROM cluster_server LIMIT 1') !== undefined;

/**
 * Exchanges the shard and replica numbers of two servers. Call this function if the disk of one server is used on the
 * other one from now on.
 */
export function exchangePlaces(db: Db, one: string, other: string): void {
  const places = new Map(listServers(db).map((server) => [server.url, server]));
  for (const [url, from] of [
    [one, places.get(other)],
    [other, places.get(one)],
  ] as const)
    if (from) db.run('UPDATE cluster_server SET shard = ?, replica = ? WHERE url = ?', from.shard, from.replica, url);
}

/**
 * Refuses a database file whose hits are on a cluster. Without the cluster, the sites would look empty, and new hits
 * would be stored in a second place.
 */
export function assertNotOnCluster(db: Db): void {
  if (isOnCluster(db))
    throw new Refusal('the hits of this file are on a cluster. Name it with --engine, as before', UNUSABLE);
}

export type ServerPlace = Pick<Server, 'url' | 'shard' | 'replica'>;

type Added = Omit<ServerPlace, 'replica'> & { state: 'complete' | 'lacking'; now: number };

/**
 * Adds a server to the cluster, at a place (a shard and a replica number) that no server had before. A server of a new
 * shard is complete, because its shard is empty. A new replica of an older shard lacks all rows, and is filled as soon
 * as it responds. Call this function inside a transaction.
 */
export function addServer(db: Db, { url, shard, state, now }: Added): void {
  const places = 'SELECT shard, replica FROM cluster_server UNION SELECT shard, replica FROM removed_server';
  const sql = `INSERT INTO cluster_server (url, shard, replica, state, reason, since, is_wanted, is_added)
    SELECT ?, ?, coalesce(max(replica) + 1, 0), ?, ?, ?, ?, 1 FROM (${places}) WHERE shard = ?`;
  const [reason, isWanted] = state === 'complete' ? ['', 0] : ['empty', 1];
  db.run(sql, url, shard, state, reason, now, isWanted, shard);
}

/** Requests that the running daybook removes a server from the cluster. */
export const wantRemoval = (db: Db, url: string): void => {
  db.run('UPDATE cluster_server SET is_leaving = 1 WHERE url = ?', url);
};

/**
 * Removes a server from the cluster. No later server gets the shard and replica number of this server. Call this
 * function inside a transaction.
 */
export function removeServer(db: Db, { url, shard, replica }: ServerPlace, now: number): void {
  const sql = 'REPLACE INTO removed_server (shard, replica, url, removed_at) VALUES (?, ?, ?, ?)';
  db.run(sql, shard, replica, url, now);
  db.run('DELETE FROM cluster_server WHERE url = ?', url);
}

export const listRemovedServers = (db: Db): ServerPlace[] =>
  db.all('SELECT url, shard, replica FROM removed_server ORDER BY shard, replica');

/**
 * Replaces the list of servers that --engine names. A server that is already in the list keeps its state, and a new
 * server is complete. Servers that a command has added or removed stay as the command left them. Call this function
 * inside a transaction.
 */
export function setServers(db: Db, servers: readonly ServerPlace[]): void {
  const urls = JSON.stringify(servers.map(({ url }) => url));
  db.run('DELETE FROM cluster_server WHERE is_added = 0 AND url NOT IN (SELECT value FROM json_each(?))', urls);
  const sql = `INSERT INTO cluster_server (url, shard, replica)
    SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM removed_server WHERE shard = ? AND replica = ?)
    ON CONFLICT DO UPDATE SET shard = excluded.shard, replica = excluded.replica`;
  for (const { url, shard, replica } of servers) db.run(sql, url, shard, replica, shard, replica);
}

/**
 * Forgets all servers, and how visitors are divided among shards. Call this function after the hits have moved from the
 * cluster into the file.
 */
export function removeCluster(db: Db): void {
  for (const table of ['cluster_server', 'removed_server', 'division']) db.run(`DELETE FROM ${table}`);
}
