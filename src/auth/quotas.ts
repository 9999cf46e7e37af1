import type { Clock } from '../lib/time.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import { makeWindowLimit } from './limits.ts';
import { HALF_SECONDS } from './session.ts';
import { makeSignInLimits } from './sign-in.ts';

export type Quotas = ReturnType<typeof makeQuotas>;

/**
 * Makes all rate limits of the server. Sessions get ten times the requests, because a page of the dashboard asks a
 * dozen reports at once.
 */
export const makeQuotas = (requests: number, clock: Clock) => ({
  /** Requests of a token; 0 means no limit, for views too. */
  requests: makeWindowLimit(requests, MINUTE, clock),
  /** Requests of a session, and of an IP address with a share link. */
  views: makeWindowLimit(requests * 10, MINUTE, clock),
  /** Requests of an IP address without a valid token or session. */
  failures: makeWindowLimit(60, MINUTE, clock),
  /** Passwords tried on the page of an invitation, by user. */
  guesses: makeWindowLimit(10, 15 * MINUTE, clock),
  /** Requests for a link to set a new password, by IP address, and such mails, by user. */
  linkRequests: makeWindowLimit(10, 15 * MINUTE, clock),
  linkMails: makeWindowLimit(3, HOUR, clock),
  /** Passkeys that an IP address tries, and uses of a challenge. */
  passkeys: makeWindowLimit(20, MINUTE, clock),
  challenges: makeWindowLimit(1, HALF_SECONDS, clock),
  signIn: makeSignInLimits(clock),
});
