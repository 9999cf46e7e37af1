import { Refusal, UNUSABLE } from '../lib/errors.ts';
import type { Db } from './statements.ts';

/** A server of the cluster that keeps the hits, and what it has of them. */
type Server = { url: string; shard: number; replica: number };

export const listServers = (db: Db): Server[] =>
  db.all('SELECT url, shard, replica FROM cluster_server ORDER BY shard, replica');

/** Whether a cluster keeps the hits. */
export const isOnCluster = (db: Db): boolean => db.one('SELECT 1 FROM cluster_server LIMIT 1') !== undefined;

/** Without its cluster such a file has no hits, and new ones would be in two places. */
export function assertNotOnCluster(db: Db): void {
  if (isOnCluster(db))
    throw new Refusal('the hits of this file are on a cluster; name it with --engine, as before', UNUSABLE);
}

/** Call it inside a transaction. */
export function setServers(db: Db, servers: readonly Server[]): void {
  db.run('DELETE FROM cluster_server');
  for (const { url, shard, replica } of servers)
    db.run('INSERT INTO cluster_server (url, shard, replica) VALUES (?, ?, ?)', url, shard, replica);
}
