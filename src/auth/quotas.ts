import type { Clock } from '../lib/time.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import { makeWindowLimit } from './limits.ts';
import { HALF_SECONDS } from './session.ts';
import { makeSignInLimits } from './sign-in.ts';

/**
 * How many requests without a valid token or session an IP address may send in a minute. Further requests get the
 * status 429.
 */
export const makeFailureLimit = (clock: Clock) => makeWindowLimit(60, MINUTE, clock);

export type Quotas = ReturnType<typeof makeQuotas>;

/** A session may send ten times as many requests as a token, because one page of the dashboard sends twelve. */
export const makeQuotas = (requests: number, clock: Clock) => ({
  /** How many requests one token may send in a minute. With 0, neither tokens nor sessions have a limit. */
  requests: makeWindowLimit(requests, MINUTE, clock),
  /** How many requests one session may send in a minute. An IP address that uses a share link has the same limit. */
  views: makeWindowLimit(requests * 10, MINUTE, clock),
  failures: makeFailureLimit(clock),
  /**
   * How many passwords may be tried for one user in 15 minutes, on two pages. One page accepts an invitation, the other
   * confirms a new e-mail address. Another person may have the link to a page, and try to guess the password there.
   */
  guesses: makeWindowLimit(10, 15 * MINUTE, clock),
  /**
   * `linkRequests`: how often an IP address may ask for a link that sets a new password, in 15 minutes. `linkMails`:
   * how many e-mails with such a link one user gets in an hour. `emailLinks`: how many links to a new e-mail address
   * one user may ask for in an hour. Strangers can use up `linkMails`, so `emailLinks` has a count of its own.
   */
  linkRequests: makeWindowLimit(10, 15 * MINUTE, clock),
  linkMails: makeWindowLimit(3, HOUR, clock),
  emailLinks: makeWindowLimit(3, HOUR, clock),
  /**
   * `passkeys`: how many passkeys an IP address may try in a minute. `challenges`: each challenge, the text that a
   * passkey signs, may be used only once.
   */
  passkeys: makeWindowLimit(20, MINUTE, clock),
  challenges: makeWindowLimit(1, HALF_SECONDS, clock),
  /**
   * How often an IP address may begin or end a sign-in with a provider in a minute. Each time, the server sends
   * requests to the provider.
   */
  oidc: makeWindowLimit(40, MINUTE, clock),
  /** How many test messages one user may send to notification channels in five minutes. */
  channelTests: makeWindowLimit(10, 5 * MINUTE, clock),
  signIn: makeSignInLimits(clock),
});
