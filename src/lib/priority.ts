import { constants, getPriority, setPriority } from 'node:os';

export const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Lowers the priority of this thread, or of another process. On Linux, the priority of a thread applies to this thread
 * only.
 *
 * The operator may have started the server with an even lower priority, which stays. Only root may raise a priority, and
 * a sandbox may forbid to change it at all. The work is then done with the priority that there is.
 */
export function lowerPriority(priority: number, pid = 0): void {
  try {
    if (getPriority(pid) < priority) setPriority(pid, priority);
  } catch {}
}
