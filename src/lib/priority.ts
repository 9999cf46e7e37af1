import { writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

export const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Lowers the priority of this thread, or of another process. On Linux, the priority of a thread applies to this thread
 * only.
 *
 * If the operator has started the server with an even lower priority, that priority stays. Only root may raise a
 * priority, and a sandbox may forbid changing it at all. Then the work runs with the priority that it has.
 */
export function lowerPriority(priority: number, pid = 0): void {
  try {
    if (getPriority(pid) < priority) setPriority(pid, priority);
  } catch {}
}

/**
 * Makes the system end another process before this one when there is no memory left. Only Linux can do that, and a
 * sandbox may forbid it.
 */
export function endFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {}
}
