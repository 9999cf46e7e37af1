export const LEAST_BYTES = 16 * 1024;
/** A file is uploaded in pieces. The server refuses a piece with more bytes than this. */
const MOST_BYTES = 1024 * 1024;
/** The server waits only 15 s for a request. So if a piece takes longer than 5 s, the next piece has half the size. */
const SLOW_MS = 5_000;
const FAST_MS = 1_000;

/** Chooses the size of the next piece, from the size of the last piece and the time that it took. */
export function chooseSize(size: number, milliseconds: number): number {
  if (milliseconds > SLOW_MS) return Math.max(LEAST_BYTES, size / 2);
  return milliseconds < FAST_MS ? Math.min(MOST_BYTES, size * 2) : size;
}
