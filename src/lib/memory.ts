import { totalmem } from 'node:os';

/** Returns the bytes of memory of the machine, or of its container if the container has less. */
export const findMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());
