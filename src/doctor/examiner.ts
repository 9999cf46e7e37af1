import { MINUTE } from '../lib/time.ts';
import { greet } from '../mail/greet.ts';
import { examine, type Finding, type Patient } from './examine.ts';

/**
 * For a server, which may be asked as often as somebody likes: all who ask meanwhile get the same answer, and the mail
 * server is greeted once a minute at most.
 */
export function examiner(patient: Patient): () => Promise<Finding[]> {
  const { clock } = patient;
  let looking: Promise<Finding[]> | undefined;
  let greeted: { at: number; told: Promise<string | undefined> } | undefined;

  function greeting(url: string): Promise<string | undefined> {
    if (!greeted || clock.tick() - greeted.at >= MINUTE * 1000) greeted = { at: clock.tick(), told: greet(url) };
    return greeted.told;
  }

  return () => {
    looking ??= examine({ ...patient, greeting }).finally(() => {
      looking = undefined;
    });
    return looking;
  };
}
