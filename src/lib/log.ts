/** Writes one line of JSON for the operator. Secrets and data about visitors must not be logged. */
export type Log = (event: string, details?: Record<string, string | number>) => void;

export const logTo =
  (write: (line: string) => void, now: () => number): Log =>
  (event, details = {}) =>
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), event, ...details })}\n`);
