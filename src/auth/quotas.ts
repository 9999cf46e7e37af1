import type { Clock } from '../lib/time.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import { makeWindowLimit } from './limits.ts';
import { HALF_SECONDS } from './session.ts';
import { makeSignInLimits } from './sign-in.ts';

export type Quotas = ReturnType<typeof makeQuotas>;

/**
 * Makes all rate limits of the server. A session may send ten times as many requests as a token, because one page of
 * the dashboard sends about twelve.
 */
export const makeQuotas = (requests: number, clock: Clock) => ({
  /** Requests of one token. 0 means no limit, also for `views`. */
  requests: makeWindowLimit(requests, MINUTE, clock),
  /** Requests of one session, or of one IP address with a share link. */
  views: makeWindowLimit(requests * 10, MINUTE, clock),
  /** Requests of one IP address without a valid token or session. */
  failures: makeWindowLimit(60, MINUTE, clock),
  /** How often one user may try a password on the page of an invitation. */
  guesses: makeWindowLimit(10, 15 * MINUTE, clock),
  /**
   * `linkRequests` counts requests of an IP address for a link to set a new password. `linkMails` counts the mails with
   * this link to one user.
   */
  linkRequests: makeWindowLimit(10, 15 * MINUTE, clock),
  linkMails: makeWindowLimit(3, HOUR, clock),
  /** `passkeys` counts the passkeys that an IP address tries. `challenges` counts the uses of one challenge. */
  passkeys: makeWindowLimit(20, MINUTE, clock),
  challenges: makeWindowLimit(1, HALF_SECONDS, clock),
  signIn: makeSignInLimits(clock),
});
