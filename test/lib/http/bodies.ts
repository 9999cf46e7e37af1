import assert from 'node:assert/strict';
import { Problem } from '../../../src/lib/errors.ts';

export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => assert.fail('nothing was refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Problem, String(error));
  return error;
}

/** A request whose body arrives in pieces, with its length announced only when it is among the headers. */
export function arriving(pieces: (string | Uint8Array)[], headers: Record<string, string> = {}): Request {
  const body = ReadableStream.from(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
  return new Request('http://daybook.invalid/', { method: 'POST', body, headers, duplex: 'half' });
}
