// Sends one message to one destination, and says in plain words whether it was accepted.
//
// Invariant: the reason of a failure has no token, no path of a URL and no text of the response. Therefore every person
// of the site may see the reason, and the log may have it.
//
// Example: Slack responds with 404, because the webhook was removed there. The result is `taken: false`, with the
// reason "the URL does not exist there (status 404)". deliveries.ts and the test of a destination call `sendMessage`.

import { type Coded, coded } from '../lang/coded.ts';
import type { DestinationKind } from '../store/sites/destinations.ts';
import { type Answered, request } from './request.ts';
import { chooseResolve, type Resolve } from './resolve.ts';
import { type Allowed, findUrlFault, type Settings } from './settings.ts';
import { type Message, writeRequest } from './shapes.ts';

/** Where a message goes. After a restore of a backup, the settings are missing, because backups do not contain them. */
export type Receiver = { kind: DestinationKind; settings: Settings[DestinationKind] | undefined; allowed: Allowed };

/**
 * The result of a try. `isThere` is true if the receiver responded at all. `retryAfter` is the number of seconds that
 * the receiver wants daybook to wait.
 */
export type Outcome = { taken: boolean; reason: Coded; isThere: boolean; retryAfter?: number | undefined };

type Options = { now: number; stop: AbortSignal; resolve?: Resolve | undefined };

export async function sendMessage(
  { kind, settings, allowed }: Receiver,
  message: Message,
  { now, stop, resolve = chooseResolve(allowed) }: Options,
): Promise<Outcome> {
  if (allowed === 'none') return refuse(coded('demo_sends_nothing'));
  if (!settings) return refuse(coded('settings_missing'));
  // The settings of the server may have changed after the URL was entered. So the URL is checked again.
  const fault = findUrlFault(kind, settings.url, allowed);
  if (fault) return refuse(fault);
  const answered = await request(writeRequest(kind, settings, message, now), { allowed, resolve, stop });
  return answered.failure ? refuse(answered.failure) : judge(answered);
}

const refuse = (reason: Coded): Outcome => ({ taken: false, reason, isThere: false });

function judge({ status, retryAfter }: Extract<Answered, { status: number }>): Outcome {
  const taken = status >= 200 && status < 300;
  return { taken, reason: describeStatus(status), isThere: true, retryAfter };
}

function describeStatus(status: number): Coded {
  if (status >= 300 && status < 400) return coded('it_redirected', { status });
  if (status === 401 || status === 403) return coded('it_denied', { status });
  if (status === 404 || status === 410) return coded('it_knows_no_url', { status });
  if (status === 429) return coded('it_got_too_many', { status });
  return coded('it_answered', { status });
}
