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
  /** How many requests one token may send in a minute. With 0 there is no limit, and none for `views`. */
  requests: makeWindowLimit(requests, MINUTE, clock),
  /** How many requests one session may send in a minute, or one IP address with a share link. */
  views: makeWindowLimit(requests * 10, MINUTE, clock),
  /** How many requests one IP address may send in a minute without a valid token or session, before it gets 429. */
  failures: makeWindowLimit(60, MINUTE, clock),
  /** How often one user may try a password on the page of an invitation, so that nobody can guess it. */
  guesses: makeWindowLimit(10, 15 * MINUTE, clock),
  /**
   * `linkRequests`: how often an IP address may ask for a link that sets a new password. `linkMails`: how many mails
   * with such a link one user gets.
   */
  linkRequests: makeWindowLimit(10, 15 * MINUTE, clock),
  linkMails: makeWindowLimit(3, HOUR, clock),
  /**
   * `passkeys`: how many passkeys an IP address may try. `challenges`: a challenge (the text that a passkey signs) may
   * be used only once.
   */
  passkeys: makeWindowLimit(20, MINUTE, clock),
  challenges: makeWindowLimit(1, HALF_SECONDS, clock),
  signIn: makeSignInLimits(clock),
});
