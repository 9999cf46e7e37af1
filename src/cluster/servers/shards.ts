import type { Division } from '../../store/cluster/divisions.ts';
import { HELD } from '../../store/cluster/outbox-pieces.ts';

/** Gives the number of shards among which the visitors of a day are divided. 0: not decided yet. */
export type FindShards = (day: number) => number;

/**
 * Builds a function that finds the number of shards of a day. `shards` is the number of all shards. A day without a
 * division is divided among all shards.
 */
export const buildFindShards =
  (divisions: readonly Division[], shards: number): FindShards =>
  (day) =>
    divisions.findLast((one) => one.day <= day)?.shards ?? shards;

/**
 * Like `buildFindShards`, but without days that are not decided yet. An import divides such a day like the day before.
 * An import has visitors of its own. So the visitors of an import may be divided in another way than the visitors of
 * collectors.
 */
export const buildFindDecided = (divisions: readonly Division[], shards: number): FindShards =>
  buildFindShards(
    divisions.filter((one) => one.shards > 0),
    shards,
  );

/** Gives the shard of a visitor or a site. Rows of a day that is not decided yet are held. */
export const findShard = (code: number, shards: number): number => (shards === 0 ? HELD : code % shards);
