/**
 * When a hit for a cluster is acknowledged. `disk`: when the disk of this machine has the hit. `replicas`: when all
 * servers that must have a copy of it do. `reachable`: when all of these servers that answer have it.
 */
export const ACKS = ['disk', 'replicas', 'reachable'] as const;
export type Ack = (typeof ACKS)[number];
