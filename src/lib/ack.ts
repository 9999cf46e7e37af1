/**
 * When a hit for a cluster is acknowledged: `disk` means that the disk of this machine has the hit. `replicas` means
 * that all replicas have it, and `reachable` means that all replicas that answer have it.
 */
export const ACKS = ['disk', 'replicas', 'reachable'] as const;
export type Ack = (typeof ACKS)[number];
