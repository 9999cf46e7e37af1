// Finds which rows are certainly on the ClickHouse servers. A hit and its heartbeat may come from
// two collectors, and the heartbeat may arrive first. So rows are copied only after all senders have sent their earlier
// rows.
//
// Invariant: the result is a row number, the horizon. The server of each shard has all rows with lower numbers. Another
// replica may have more rows or fewer. So the horizon is computed for exactly the servers that are asked.
//
// Example: the primary has sent all its rows below number 900. A second ago, a collector reported that it has sent all
// its rows below 850. The horizon is then 850, and rows with lower numbers are copied. engine.ts calls `findHorizon`.

/**
 * A sender. `reached` has a row number for each server, by URL: the server has all rows of this sender with lower
 * numbers.
 */
type Sender = { reached: ReadonlyMap<string, number> };

/**
 * `servers` has one server of each shard, or undefined for a shard without a chosen server. Gives 0 if a server is
 * undefined, or if a sender has reported no number for one of the servers. With 0, no row is certain.
 */
export const findHorizon = (servers: readonly ({ url: string } | undefined)[], senders: readonly Sender[]): number =>
  Math.min(...servers.flatMap((server) => senders.map(({ reached }) => (server && reached.get(server.url)) ?? 0)));
