/** Logs one JSON line for the operator. Nothing about visitors goes in, nor a secret, unless the line says so. */
export type Log = (event: string, details?: Record<string, string | number>) => void;

export const logTo =
  (write: (line: string) => void, now: () => number): Log =>
  (event, details = {}) =>
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), event, ...details })}\n`);
