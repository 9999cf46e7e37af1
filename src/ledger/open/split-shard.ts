import type { Totals } from '../../stats/measured.ts';
import type { StoredBlob } from '../column/blobs.ts';
import { withTotals } from '../count/totals.ts';
import { type Shard, type ShardRows, takeHeartbeats } from '../day/shard.ts';
import { takeVisits } from '../day/take-visits.ts';
import { makeRecentBlobs } from './recent-visits.ts';
import { makeShardBlobs } from './shard-format.ts';

/** A part that takes the place of others, packed. */
export type NewShard = { from: number; totals: Totals; blobs: StoredBlob[] };

/** Takes visits `from` to before `to` of a shard, with the heartbeats without a visit that belong to their visitors. */
function slice(shard: Shard, from: number, to: number, idle: ShardRows): Shard {
  const visits = new Uint32Array(to - from).map((_, i) => from + i);
  return withTotals({ ...takeVisits(shard, visits), codes: () => shard.codes().subarray(from, to), idle });
}

/** The first visits of the slices of a part, each with at least so many hits, and the end. A visitor is in one slice. */
function cutsIn(part: Shard, hits: number): number[] {
  const codes = part.codes();
  const perVisit = part.column('hits').codes;
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

/** A part as it will be written, split where it has grown too large, into equal parts: a question asks each, however small. */
export function* written(part: Shard, from: number, hits: number): Generator<NewShard> {
  const { pageviews, events } = part.totals;
  const count = Math.max(1, Math.floor((pageviews + events) / hits));
  const cuts = count === 1 ? [0, part.totals.visits] : cutsIn(part, (pageviews + events) / count);
  const codes = part.codes();
  const firsts = cuts.map((cut, i) => (i === 0 ? from : (codes[cut] ?? Number.POSITIVE_INFINITY)));
  firsts[cuts.length - 1] = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [first = from, next = Number.POSITIVE_INFINITY] = [firsts[i], firsts[i + 1]];
    const idle = Array.from({ length: part.idle.count }, (_, row) => row).filter((row) => {
      const visitor = part.idle.visitor[row] as number;
      return (i === 0 || visitor >= first) && visitor < next;
    });
    const own =
      cuts.length === 2 ? part : slice(part, cuts[i] as number, cuts[i + 1] as number, takeHeartbeats(part.idle, idle));
    yield { from: first, totals: own.totals, blobs: [...makeShardBlobs(own), ...makeRecentBlobs(own)] };
  }
}
