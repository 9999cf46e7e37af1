import type { Coded } from '../lang/coded.ts';
import { MINUTE } from '../lib/time.ts';
import { greet } from '../mail/greet.ts';
import { examine, type Finding, type Patient } from './examine.ts';

/**
 * Examines a running server, where many requests may ask for findings. Requests that arrive during an examination get
 * the findings of that examination. The mail server is contacted at most once a minute.
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
