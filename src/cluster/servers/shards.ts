import type { Division } from '../../store/cluster/divisions.ts';
import { HELD } from '../../store/cluster/outbox-pieces.ts';

/** Gives the number of shards among which the visitors of a day are divided. 0: not decided yet. */
export type FindShards = (day: number) => number;

/**
 * Builds a function that finds the number of shards of a day. A division says among how many shards visitors are
 * divided from a day on. Without a division for a day, visitors are divided among all shards (`shards`).
 */
export const buildFindShards =
  (divisions: readonly Division[], shards: number): FindShards =>
  (day) =>
    divisions.findLast((one) => one.day <= day)?.shards ?? shards;

/**
 * Like `buildFindShards`, but for imports. An import cannot wait until a day is decided, so it uses the last decided
 * division before the day. Later, the day may be decided differently. That does no harm, because imported and live hits
 * have no visitor in common.
 */
export const buildFindDecided = (divisions: readonly Division[], shards: number): FindShards =>
  buildFindShards(
    divisions.filter((one) => one.shards > 0),
    shards,
  );

/**
 * Gives the shard of a visitor (by its code) or a site (by its id). If the day is not decided yet (`shards` is 0), the
 * rows are held in the outbox.
 */
export const findShard = (code: number, shards: number): number => (shards === 0 ? HELD : code % shards);
