import type { Clock } from '../lib/time.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import { windowLimit } from './limits.ts';
import { HALF_SECONDS } from './session.ts';
import { signInLimits } from './sign-in.ts';

export type Quotas = ReturnType<typeof quotas>;

/** The rate limits. A page of the dashboard asks for a dozen reports at once. */
export const quotas = (requests: number, clock: Clock) => ({
  /** Requests with a token; 0 means no limit, here and for views. */
  requests: windowLimit(requests, MINUTE, clock),
  /** Requests with a session, and of an address with a share link. */
  views: windowLimit(requests * 10, MINUTE, clock),
  /** Requests of an address without a valid token or session. */
  failures: windowLimit(60, MINUTE, clock),
  /** Passwords typed into invitations to somebody who has an account. */
  guesses: windowLimit(10, 15 * MINUTE, clock),
  /** Links to set another password: asked for by an address, and mailed to a person. */
  linkRequests: windowLimit(10, 15 * MINUTE, clock),
  linkMails: windowLimit(3, HOUR, clock),
  /** Passkeys that an address shows; and each of our challenges counts once. */
  passkeys: windowLimit(20, MINUTE, clock),
  challenges: windowLimit(1, HALF_SECONDS, clock),
  signIn: signInLimits(clock),
});
