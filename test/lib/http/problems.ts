import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/lang/sentences.ts';
import { Problem } from '../../../src/lib/errors.ts';

export const RUNS = { numRuns: 2_000 };

/** The fields that a 422 names, in English. */
export function fieldsOf(error: unknown): Record<string, string> {
  assert.ok(error instanceof Problem, String(error));
  assert.equal(error.code, 'invalid_request');
  assert.ok(error.fields);
  return Object.fromEntries(Object.entries(error.fields).map(([name, fault]) => [name, inEnglish(fault)]));
}

export function refused(work: () => unknown): Record<string, string> {
  try {
    work();
  } catch (error) {
    return fieldsOf(error);
  }
  assert.fail('nothing was refused');
}
