// Packs a new shard for writing. If a shard has grown too large, it is split into several shards.
//
// Invariant: the new shards have all visitors of the old shard. Their ranges of visitor codes have no gaps.
//
// Example: each new shard must have at least 250,000 hits. A shard of 510,000 hits becomes two shards of about 255,000
// hits. A shard of 490,000 hits stays as it is, because two halves would have only 245,000 hits each. compaction.ts
// calls this file.
import type { Totals } from '../../stats/aggregates.ts';
import type { StoredBlob } from '../column/blobs.ts';
import { withTotals } from '../count/totals.ts';
import { type Shard, type ShardRows, takeHeartbeats } from '../day/shard.ts';
import { takeVisits } from '../day/take-visits.ts';
import { makeRecentBlobs } from './recent-visits.ts';
import { makeShardBlobs } from './shard-format.ts';

/** A shard that is ready for writing. Its visitor codes begin at `from` and end where the next shard begins. */
export type NewShard = { from: number; totals: Totals; blobs: StoredBlob[] };

/**
 * Splits a shard of at least 2 × `hits` hits into shards of about equal size. Each new shard gets about `hits` to 1.5 ×
 * `hits` hits. With smaller shards, queries would be slower, because each query reads every shard of the day.
 */
export function* splitShard(shard: Shard, from: number, hits: number): Generator<NewShard> {
  const { pageviews, events } = shard.totals;
  const count = Math.max(1, Math.floor((pageviews + events) / hits));
  const cuts = count === 1 ? [0, shard.totals.visits] : findCuts(shard, (pageviews + events) / count);
  const codes = shard.codes();
  const firsts = cuts.map((cut, i) => (i === 0 ? from : (codes[cut] ?? Number.POSITIVE_INFINITY)));
  firsts[cuts.length - 1] = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [first = from, next = Number.POSITIVE_INFINITY] = [firsts[i], firsts[i + 1]];
    const idle = Array.from({ length: shard.idle.count }, (_, row) => row).filter((row) => {
      const visitor = shard.idle.visitor[row] as number;
      return (i === 0 || visitor >= first) && visitor < next;
    });
    const own =
      cuts.length === 2
        ? shard
        : takeRange(shard, cuts[i] as number, cuts[i + 1] as number, takeHeartbeats(shard.idle, idle));
    yield { from: first, totals: own.totals, blobs: [...makeShardBlobs(own), ...makeRecentBlobs(own)] };
  }
}

/** Makes a shard from the visits `from` to `to` of another shard. Visit `to` is not included. */
function takeRange(shard: Shard, from: number, to: number, idle: ShardRows): Shard {
  const visits = new Uint32Array(to - from).map((_, i) => from + i);
  return withTotals({ ...takeVisits(shard, visits), codes: () => shard.codes().subarray(from, to), idle });
}

/**
 * Returns the index of the first visit of each new shard, and then the number of all visits. All visits of a visitor
 * are in one shard, so the visitors of the shards can be added up.
 */
function findCuts(shard: Shard, hits: number): number[] {
  const codes = shard.codes();
  const perVisit = shard.column('hits').codes;
  const cuts = [0];
  let sum = 0;
  for (let visit = 0; visit < codes.length; visit++) {
    if (sum >= hits && codes[visit] !== codes[visit - 1]) {
      cuts.push(visit);
      sum = 0;
    }
    sum += perVisit[visit] as number;
  }
  return [...cuts, codes.length];
}
