import type { Db } from './statements.ts';

/** A server of the cluster that keeps the hits, and what it has of them. */
type Server = { url: string; shard: number; replica: number };

export const listServers = (db: Db): Server[] =>
  db.all('SELECT url, shard, replica FROM cluster_server ORDER BY shard, replica');

/** Call it inside a transaction. */
export function setServers(db: Db, servers: readonly Server[]): void {
  db.run('DELETE FROM cluster_server');
  for (const { url, shard, replica } of servers)
    db.run('INSERT INTO cluster_server (url, shard, replica) VALUES (?, ?, ?)', url, shard, replica);
}
