// Delivers messages about sites to destinations: reports, alerts, reached goals and effects of notes. An effect is how
// the figures changed after a note. The webhook of the server's settings (webhook.ts) gets all of these messages except
// reached goals.
//
// A message that is not accepted is sent again. The waits are 1, 5 and 30 minutes, then 2, 6 and 12 hours. After that,
// daybook gives the message up (test/jobs/webhook.test.ts). An accepted message is not sent again, even after a
// restart.
//
// Invariant: a destination that fails or hangs delays only its own messages. 32 destinations get messages at the same
// time. Destinations that accepted their last message are first. After a minute of tries, daybook looks for new
// messages. New messages must not wait for hundreds of slow destinations (test/jobs/destinations.test.ts).
//
// Example: Slack's server hangs. Its message waits 10 s, is noted as failed, and is sent again in a minute. Meanwhile,
// the other destinations have received their messages. The job "mails" calls `send` every minute.

import { type Coded, coded } from '../lang/coded.ts';
import type { Language } from '../lang/languages.ts';
import { inEnglish } from '../lang/sentences.ts';
import { writeCoded } from '../lib/http/fault.ts';
import { type Clock, HOUR, MINUTE, seconds } from '../lib/time.ts';
import { FRESH_SECONDS, type MailKind, type Sources } from '../mail/kind.ts';
import { KINDS } from '../mail/kinds.ts';
import type { Letter } from '../mail/letter.ts';
import { tryLetter } from '../mail/try-letter.ts';
import { voiceIn } from '../mail/voice.ts';
import { type Delivery, delayTry, endDelivery, listDue, noteTry, SETTINGS_WEBHOOK } from '../store/mail/deliveries.ts';
import { findMailedSite, type MailedSite } from '../store/mail/mailings.ts';
import { findStanding, isBlocked } from '../store/people/accounts.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import { findDestination, findSettings, noteAccepted, noteFailure } from '../store/sites/destinations.ts';
import type { Resolve } from './resolve.ts';
import { type Outcome, type Receiver, sendMessage } from './send.ts';
import type { Settings } from './settings.ts';
import type { Webhook } from './webhook.ts';

/**
 * The wait after each failed try. After the last try, about 21 hours after the first one, daybook gives the message up.
 */
const WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
/** The most tries for one destination in one call of `send`. Further messages wait for the next call. */
const MOST_A_RUN = 20;
const AT_ONCE = 32;
/** After this time, a call of `send` begins no more tries. The next call makes the remaining tries. */
const LONGEST_RUN = MINUTE;
/** The longest wait that a receiver may request. If it requests more, the message waits only for this time. */
const LONGEST_WISH = 6 * HOUR;

type Deps = Sources & {
  clock: Clock;
  webhook: Webhook | undefined;
  stop: AbortSignal;
  posted?: ((outcome: string) => void) | undefined;
  resolve?: Resolve | undefined;
};

type Due = { kind: MailKind; delivery: Delivery };
/**
 * One call of `send`. `letters` has the content of the messages, by message and language. So each content is written
 * only once, even for many destinations.
 */
type Round = { now: number; aliveSince: number; letters: Map<string, Promise<Letter | undefined>> };

export function deliveries({ webhook, resolve, posted, ...deps }: Deps) {
  const { db, config, clock, stop } = deps;
  const isOver = ({ now }: Round): boolean => stop.aborted || seconds(clock) - now >= LONGEST_RUN;

  const listAllDue = (now: number): Due[] =>
    KINDS.flatMap((kind) => {
      const { name, message, setting } = kind;
      const follows = 'follows' in kind ? kind.follows : undefined;
      const due = { since: now - FRESH_SECONDS, now, webhook: webhook !== undefined };
      return listDue(db, { name, message, setting, follows }, due).map((delivery) => ({ kind, delivery }));
    }).sort((one, other) => byFailures(one.delivery, other.delivery));

  /**
   * Tries once to send a message. Returns undefined, without a try, if the message has no content or may not be sent.
   */
  async function tryOne({ kind, delivery }: Due, { now, aliveSince, letters }: Round): Promise<Outcome | undefined> {
    const receiver = findReceiver({ db, config, webhook }, delivery);
    const site = findMailedSite(db, delivery.siteId);
    if (!receiver || !site || isBlocked(findStanding(db, site.accountId, now))) return undefined;
    const voice = voiceIn(receiver.language);
    const key = `${delivery.id} ${voice.language}`;
    const writing = letters.get(key) ?? tryLetter(deps, kind, site, { ...delivery, now, aliveSince }, voice);
    letters.set(key, writing);
    const letter = await writing;
    if (!letter) return undefined;
    noteTry(db, delivery, now + (WAITS[delivery.tries] ?? 0));
    const message = { ...nameMessage(delivery, site), letter, voice };
    const outcome = await sendMessage(receiver, message, { now, stop, resolve });
    // If the try failed because the server stops, the receiver is not to blame. Then the message is sent again after
    // the next start.
    if (outcome.taken || !stop.aborted) noteOutcome({ ...deps, webhook, posted }, delivery, outcome);
    return outcome;
  }

  /**
   * Sends the messages of one destination. If the receiver does not respond, each further message would wait 10 s too.
   * If the receiver asks for a pause, it would refuse further messages. In both cases, the further messages wait for
   * the next call.
   */
  async function sendTo(list: readonly Due[], round: Round): Promise<void> {
    let tries = 0;
    for (const due of list) {
      if (isOver(round) || tries === MOST_A_RUN) return;
      const outcome = await tryOne(due, round);
      if (outcome) tries++;
      if (outcome && (!outcome.isThere || outcome.retryAfter !== undefined)) return;
    }
  }

  return {
    async send(now: number, aliveSince: number): Promise<void> {
      const waiting = [...Map.groupBy(listAllDue(now), ({ delivery }) => delivery.destinationId).values()];
      const round: Round = { now, aliveSince, letters: new Map() };
      const work = async () => {
        for (let list = waiting.shift(); list; list = waiting.shift()) await sendTo(list, round);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
  };
}

const byFailures = (one: Delivery, other: Delivery): number =>
  one.isFailing - other.isFailing || one.tries - other.tries || one.id - other.id;

const nameMessage = ({ id, kind, at }: Delivery, { domain }: MailedSite) => ({
  ...{ id: `${kind}.${id}.${at}`, kind, site: domain, at },
});

function findReceiver(
  { db, config, webhook }: Pick<Deps, 'db' | 'config' | 'webhook'>,
  { destinationId, siteId }: Delivery,
): (Receiver & { language: Language }) | undefined {
  if (destinationId === SETTINGS_WEBHOOK) return webhook && { ...webhook, allowed: 'any', language: 'en' };
  const found = findDestination(db, siteId, destinationId);
  const settings = findSettings(db, destinationId) as Settings[Receiver['kind']] | undefined;
  return found && { ...found, settings, allowed: config.channels };
}

type Notes = Pick<Deps, 'db' | 'clock' | 'log' | 'webhook' | 'posted'>;

function noteOutcome({ db, clock, log, webhook, posted }: Notes, delivery: Delivery, outcome: Outcome): void {
  const { taken, reason, retryAfter } = outcome;
  const { destinationId, tries } = delivery;
  const isLast = tries >= WAITS.length;
  const now = seconds(clock);
  if (taken || isLast) endDelivery(db, delivery, taken);
  else if (retryAfter !== undefined) delayTry(db, delivery, now + Math.min(retryAfter, LONGEST_WISH));
  posted?.(taken ? 'taken' : isLast ? 'given_up' : 'failed');
  if (destinationId === SETTINGS_WEBHOOK) noteWebhook(db, webhook, outcome, now);
  else if (taken) noteAccepted(db, destinationId, now);
  else noteFailure(db, destinationId, reason, now);
  if (taken) return;
  const event = isLast ? 'message given up' : 'message not accepted. The server tries again';
  const to = destinationId === SETTINGS_WEBHOOK ? 'webhook' : `channel ${destinationId}`;
  log(event, { to, kind: delivery.kind, site: delivery.siteId, tries: tries + 1, reason: inEnglish(reason) });
}

/** Stores the result of the last try to send to the webhook. `daybook doctor` shows this result. */
function noteWebhook(db: Deps['db'], webhook: Webhook | undefined, { taken, reason }: Outcome, now: number): void {
  const { host } = new URL(webhook?.settings.url ?? '');
  const words: Coded = taken ? coded('webhook_taken', { host }) : coded('webhook_refused', { host, reason: [reason] });
  noteUpkeep(db, 'webhook', { at: now, fine: taken, words: writeCoded(words) });
}
