/** When a hit for a cluster is acknowledged: when it is on the disk here, when all replicas have it, or when those that answer have it. */
export const ACKS = ['disk', 'replicas', 'reachable'] as const;
export type Ack = (typeof ACKS)[number];
