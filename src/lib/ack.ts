/**
 * When a hit for a cluster is acknowledged: once it is on this machine's disk, once all replicas have it, or once the
 * replicas that answer have it.
 */
export const ACKS = ['disk', 'replicas', 'reachable'] as const;
export type Ack = (typeof ACKS)[number];
