export const LEAST_BYTES = 16 * 1024;
/** The largest piece of an uploaded file that the server accepts. */
const MOST_BYTES = 1024 * 1024;
/** A piece that takes longer than this is too large. The server waits 15 s for a request. */
const SLOW_MS = 5_000;
const FAST_MS = 1_000;

/** Chooses the size of the next piece, from the size of the last piece and the time that it took. */
export function chooseSize(size: number, milliseconds: number): number {
  if (milliseconds > SLOW_MS) return Math.max(LEAST_BYTES, size / 2);
  return milliseconds < FAST_MS ? Math.min(MOST_BYTES, size * 2) : size;
}
