/**
 * Says when a hit for a cluster is acknowledged. `disk`: when the hit is on the disk of this machine. `replicas`: when
 * all replicas of its shard have it. `reachable`: when all complete replicas that respond have it, and at least one
 * responds.
 */
export const ACKS = ['disk', 'replicas', 'reachable'] as const;
export type Ack = (typeof ACKS)[number];
