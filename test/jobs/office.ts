import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { Webhook } from '../../src/destinations/webhook.ts';
import { siteMails } from '../../src/jobs/mail.ts';
import { logTo } from '../../src/lib/log.ts';
import { DAY, seconds } from '../../src/lib/time.ts';
import { buildPost } from '../../src/mail/post.ts';
import type { Ask } from '../../src/stats/ask.ts';
import { addOutage, type Outage } from '../../src/store/server/outages.ts';
import type { Hit } from '../collect/stage.ts';
import { type Mail, mailServer, readMail } from '../mail/server.ts';
import { sourcesOf, store } from '../mail/site.ts';
import { startApp } from '../support/helpers.ts';

/** The Monday before the tests' clock begins, which is a Tuesday noon. */
export const MONDAY = Date.parse('2026-03-09T00:00:00Z') / 1000;
export const LAST_WEEK = MONDAY - 7 * DAY;
export const EVERYBODY = ['manager@example.com', 'owner@example.com', 'viewer@example.com'];

const makeWebhook = (url: string): Webhook => ({
  kind: 'webhook',
  settings: { url, secret: 'a secret of the webhook' },
});

/** A server whose looks at what is to be mailed are in the hand of the test, maybe with a webhook too. */
export async function office(t: TestContext, settings: Record<string, unknown>, webhookUrl?: string) {
  const server = await mailServer(t);
  const app = await startApp(t, { ...server.settings, 'base-url': 'https://stats.example.com' });
  app.db.run('PRAGMA synchronous = OFF');
  assert.equal((await app.owner.ask('PATCH', `/sites/${app.siteId}`, settings)).status, 200);
  const log = logTo((line) => app.log.push(line), app.clock.now);
  /** Sites whose reports fail. */
  const failing = new Set<number>();
  const sources = sourcesOf(app);
  let asked = 0;
  const ask: Ask = async (question) => {
    asked++;
    if (failing.has(question.siteId)) throw new Error('too slow');
    return sources.ask(question);
  };
  /** Since when hits are refused. */
  let refusedSince: number | undefined;
  const refusing = (): Outage | undefined =>
    refusedSince === undefined ? undefined : { from: refusedSince, to: seconds(app.clock), reason: 'refused' };
  /** As at a start of the server. */
  const start = () => {
    const post = buildPost(app.config, log, app.db);
    t.after(() => post.settle());
    const webhook = webhookUrl === undefined ? undefined : makeWebhook(webhookUrl);
    return siteMails({
      ...{ ...sources, ask, clock: app.clock, random: randomBytes },
      ...{ log, post, webhook, collector: { refusing } },
    });
  };
  let mails = start();
  let read = 0;
  return {
    ...app,
    server,
    failing,
    /** How many questions mails have taken. */
    asked: () => asked,
    /** From now on hits are refused. */
    refuse(): void {
      refusedSince = seconds(app.clock);
    },
    /** Hits are taken again, and what was missed is noted. */
    takeAgain(): void {
      const outage = refusing();
      refusedSince = undefined;
      if (outage) addOutage(app.db, outage);
    },
    store: (...hits: Hit[]) =>
      store(
        app.db,
        hits.map((hit) => ({ ...hit, siteId: app.siteId })),
      ),
    /** Sets the clock. */
    at: (moment: number) => app.clock.pass(moment - app.clock.now() / 1000),
    restart(): void {
      mails = start();
    },
    /** Looks, and gives the mails that came. */
    async look(): Promise<Mail[]> {
      await mails.run();
      const fresh = server.mails.slice(read);
      read = server.mails.length;
      return fresh;
    },
  };
}

export const recipients = (mails: readonly Mail[]): string[] => mails.flatMap(({ to }) => to).sort();

export const subjects = (mails: readonly Mail[]): string[] => [
  ...new Set(mails.map((mail) => readMail(mail).headers.subject ?? '')),
];
