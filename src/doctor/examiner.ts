import type { Coded } from '../lang/coded.ts';
import { MINUTE } from '../lib/time.ts';
import { greet } from '../mail/greet.ts';
import { examine, type Finding, type Patient } from './examine.ts';

/**
 * Makes an examiner for a running server, which may be asked often. Requests during an examination share its answer. The mail server is
 * greeted at most once a minute.
 */
export function examiner(patient: Patient): () => Promise<Finding[]> {
  const { clock } = patient;
  let looking: Promise<Finding[]> | undefined;
  let greeted: { at: number; trouble: Promise<Coded | undefined> } | undefined;

  function greeting(url: string): Promise<Coded | undefined> {
    if (!greeted || clock.tick() - greeted.at >= MINUTE * 1000) greeted = { at: clock.tick(), trouble: greet(url) };
    return greeted.trouble;
  }

  return () => {
    looking ??= examine({ ...patient, greeting }).finally(() => {
      looking = undefined;
    });
    return looking;
  };
}
