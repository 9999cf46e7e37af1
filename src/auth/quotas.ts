import type { Clock } from '../lib/time.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import { windowLimit } from './limits.ts';
import { signInLimits } from './sign-in.ts';

export type Quotas = ReturnType<typeof quotas>;

/** How often each thing may be asked for. A page of the dashboard asks for a dozen reports at once. */
export const quotas = (requests: number, clock: Clock) => ({
  /** By a token; 0 means no limit, here and for views. */
  requests: windowLimit(requests, MINUTE, clock),
  /** By a session, and by an address behind a share link. */
  views: windowLimit(requests * 10, MINUTE, clock),
  /** By an address, with a token or session that is none. */
  failures: windowLimit(60, MINUTE, clock),
  /** Of an invitation with the password of somebody who has one. */
  guesses: windowLimit(10, 15 * MINUTE, clock),
  /** Mails with a link to set another password: by an address, and to a person. */
  forgetful: windowLimit(10, 15 * MINUTE, clock),
  reminders: windowLimit(3, HOUR, clock),
  signIn: signInLimits(clock),
});
