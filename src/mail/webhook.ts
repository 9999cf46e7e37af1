// The webhook sends reports and alerts about sites to a URL from the settings. It also works without a mail server.
//
// A message that the receiver does not accept is sent again. The waits are 1, 5 and 30 minutes, then 2, 6 and 12 hours.
// After that, the message is given up (test/jobs/webhook.test.ts). An accepted message is not sent again.
//
// A header has the signature, made with the secret of the settings: `Daybook-Signature: t=1767607200,v1=<HMAC>`. Slack
// gets a text in its own format, without a signature. The job "mails" calls `send` every minute.

import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { writeCoded } from '../lib/http/fault.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, HOUR, iso, MINUTE, seconds } from '../lib/time.ts';
import { findMailedSite } from '../store/mail/mailings.ts';
import { endPosting, listUnposted, noteTry, type Unposted } from '../store/mail/webhook-deliveries.ts';
import { findStanding, isBlocked } from '../store/people/accounts.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import { FRESH_SECONDS, type MailKind, type Sources } from './kind.ts';
import { KINDS } from './kinds.ts';
import type { Letter } from './letter.ts';
import { writeBlocks } from './text.ts';
import { tryLetter } from './try-letter.ts';
import { voiceIn } from './voice.ts';

/** The wait after each failed try. After the last try the message is given up, about 21 hours after the first try. */
const WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
const PATIENCE_MS = 10_000;
/** One call of `send` tries at most this many messages. A slow receiver must not delay the other jobs for long. */
const MOST_A_RUN = 20;
const LEAST_SECRET = 16;

export function makeWebhook(config: Config): Webhook | undefined {
  const { webhookUrl: url } = config;
  if (url === undefined) return undefined;
  const type = { 'Content-Type': 'application/json', 'User-Agent': 'daybook' };
  if (isSlack(url)) return { url, headersFor: () => type };
  const secret = readSecret(config);
  return {
    url,
    headersFor(body, now) {
      const signature = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex');
      return { ...type, 'Daybook-Signature': `t=${now},v1=${signature}` };
    },
  };
}

/**
 * Slack needs its own format. Messages to Slack have no signature, because Slack does not check any, and its URL is
 * secret.
 */
const isSlack = (url: string): boolean => new URL(url).hostname === 'hooks.slack.com';

function readSecret({ webhookSecret, webhookSecretFile: file }: Config): string {
  let secret = webhookSecret ?? '';
  try {
    if (file !== undefined) secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Refusal(`--webhook-secret-file: ${(error as NodeJS.ErrnoException).code}: ${file}`, USAGE);
  }
  if (secret.length >= LEAST_SECRET) return secret;
  const where = file === undefined ? 'DAYBOOK_WEBHOOK_SECRET' : '--webhook-secret-file';
  throw new Refusal(
    `${where} must have at least ${LEAST_SECRET} characters. To make one, run openssl rand -hex 32`,
    USAGE,
  );
}

export type Webhook = { url: string; headersFor(body: string, now: number): Record<string, string> };

/**
 * Slack reads &, < and > as markup. The message stands between three backquotes. Three backquotes in the text would end
 * it early, so each backquote becomes a single quote.
 */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('`', "'");

/**
 * Writes a message for the receiver. All tries of a message have the same id, so a receiver can ignore a second copy.
 */
export function writeBody(url: string, { id, kind, at }: Unposted, domain: string, letter: Letter): string {
  const { title, link } = letter;
  const text = writeBlocks(letter, voiceIn('en'));
  return JSON.stringify(
    isSlack(url)
      ? { text: `*${forSlack(title)}*\n\`\`\`\n${forSlack(text)}\n\`\`\`\n<${link.url}|${forSlack(link.words)}>` }
      : { id: `${kind}.${id}.${at}`, kind, site: domain, at: iso(at), title, text, url: link.url },
  );
}

/**
 * The result of a try to send a message. `isThere` says whether the receiver answered at all. `reason` is logged, so it
 * contains neither the URL nor the message.
 */
type Outcome = { taken: boolean; reason: Coded; isThere: boolean };

async function tryToSend({ url, headersFor }: Webhook, body: string, now: number, stop: AbortSignal): Promise<Outcome> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)]);
    const headers = headersFor(body, now);
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal });
    await answer.body?.cancel();
    return { taken: answer.ok, reason: coded('it_answered', { status: answer.status }), isThere: true };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    const reason =
      name === 'TimeoutError' ? coded('no_answer_in_time') : coded('other_text', { text: cause?.code ?? name });
    return { taken: false, reason, isThere: false };
  }
}

type Deps = Sources & {
  clock: Clock;
  log: Log;
  webhook: Webhook;
  stop: AbortSignal;
  posted?: ((outcome: string) => void) | undefined;
};

export function posting({ webhook, stop, posted, ...deps }: Deps) {
  const { db, clock, log } = deps;

  const listDue = (now: number): { kind: MailKind; mailing: Unposted }[] =>
    KINDS.flatMap((kind) => {
      const { name, setting } = kind;
      const follows = 'follows' in kind ? kind.follows : undefined;
      const due = listUnposted(db, { name, setting, follows }, now - FRESH_SECONDS, now);
      return due.map((mailing) => ({ kind, mailing }));
    }).sort((one, other) => one.mailing.tries - other.mailing.tries || one.mailing.id - other.mailing.id);

  function note({ taken, reason }: Outcome, mailing: Unposted): void {
    const isLast = mailing.tries >= WAITS.length;
    if (taken || isLast) endPosting(db, mailing.id, taken);
    const outcome = taken ? 'taken' : isLast ? 'given_up' : 'failed';
    posted?.(outcome);
    const { host } = new URL(webhook.url);
    const result = taken ? coded('webhook_taken', { host }) : coded('webhook_refused', { host, reason: [reason] });
    noteUpkeep(db, 'webhook', { at: seconds(clock), fine: taken, words: writeCoded(result) });
    if (taken) return;
    const event = isLast ? 'webhook message given up' : 'webhook message not accepted. The server tries again';
    log(event, { kind: mailing.kind, site: mailing.siteId, tries: mailing.tries + 1, reason: inEnglish(reason) });
  }

  return {
    async send(now: number, aliveSince: number): Promise<void> {
      let tries = 0;
      for (const { kind, mailing } of listDue(now)) {
        const site = findMailedSite(db, mailing.siteId);
        if (!site || isBlocked(findStanding(db, site.accountId, now))) continue;
        if (stop.aborted || tries === MOST_A_RUN) break;
        const letter = await tryLetter({ ...deps, stop }, kind, site, { ...mailing, now, aliveSince }, voiceIn('en'));
        if (!letter) continue;
        tries++;
        noteTry(db, mailing.id, now + (WAITS[mailing.tries] ?? 0));
        const outcome = await tryToSend(webhook, writeBody(webhook.url, mailing, site.domain, letter), now, stop);
        note(outcome, mailing);
        // The receiver did not answer, and each further message would wait 10 s too. So these messages wait for the
        // next call.
        if (!outcome.isThere) break;
      }
    },
  };
}
