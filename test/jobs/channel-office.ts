import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { siteMails } from '../../src/jobs/mail.ts';
import { logTo } from '../../src/lib/log.ts';
import { buildPost } from '../../src/mail/post.ts';
import { SERVICES } from '../destinations/services.ts';
import { receiver } from '../mail/receiver.ts';
import { sourcesOf } from '../mail/site.ts';
import { startApp } from '../support/helpers.ts';

/** A server with a channel for one kind of messages, whose looks are in the hand of the test. */
export async function channelOffice(t: TestContext, kind: 'custom' | 'goals', mail = {}) {
  const hook = await receiver(t, '');
  const app = await startApp(t, { ...mail, 'base-url': 'https://stats.example.com', 'channels-private': 'on' });
  const { owner, siteId, clock } = app;
  const log = logTo((line) => app.log.push(line), clock.now);
  const start = () => {
    const post = buildPost(app.config, log, app.db);
    t.after(() => post.settle());
    const collector = { refusing: () => undefined };
    return siteMails({ ...sourcesOf(app), clock, random: randomBytes, log, post, collector });
  };
  let mails = start();
  const settings = SERVICES.webhook.settings(hook.url);
  const channel = { kind: 'webhook', name: 'Hook', settings, messages: [kind] };
  assert.equal((await owner.ask('POST', `/sites/${siteId}/channels`, channel)).status, 201);
  let read = 0;
  return {
    ...app,
    hook,
    restart(): void {
      mails.stop();
      mails = start();
    },
    at: (moment: number) => clock.pass(moment - clock.now() / 1000),
    /** Looks, and gives the messages that were not read before. */
    async tell(): Promise<{ title: string; text: string }[]> {
      await mails.run();
      const fresh = hook.received.slice(read).map(({ body }) => JSON.parse(body));
      read = hook.received.length;
      return fresh;
    },
  };
}
