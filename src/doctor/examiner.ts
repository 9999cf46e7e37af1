import type { Coded } from '../lang/coded.ts';
import { MINUTE } from '../lib/time.ts';
import { greet } from '../mail/greet.ts';
import { examine, type Finding, type Patient } from './examine.ts';

/**
 * Makes a function that runs the checks of `daybook doctor` in a running server, and returns their results. Many
 * requests of the API may call the function. A call during a run of the checks gets the results of this run. The mail
 * server is contacted at most once a minute.
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
