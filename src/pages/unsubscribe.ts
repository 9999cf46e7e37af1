import type { Hono } from 'hono';
import { jsonAnswer } from '../lib/answer.ts';
import { bodyOf, isForm, queryOf } from '../lib/input.ts';
import { type Env, mountPath } from '../lib/paths.ts';
import { seconds } from '../lib/time.ts';
import { addUnsubscribed, findSubscriber, removeUnsubscribed, type Subscriber } from '../store/unsubscribed.ts';
import { type C, wantsPage } from './form.ts';
import { html, page } from './html.ts';
import type { Pages } from './link.ts';

const BODY_BYTES = 64 * 1024;

const lost = (): Response =>
  page(
    404,
    'This link does not work',
    html`<p>It is incomplete, or the site or your account was deleted, and no mails are sent any more.</p>`,
  );

function shown({ domain, email, isUnsubscribed }: Subscriber): Response {
  const body = isUnsubscribed
    ? html`<p>${email} gets no mails about ${domain} any more.</p>
<form method="post"><input name="again" type="hidden" value="yes"><button>Get them again</button></form>`
    : html`<p>Reports and alerts about ${domain} are sent to ${email}.</p>
<form method="post"><button>Send no more of them</button></form>`;
  return page(200, isUnsubscribed ? 'Unsubscribed' : 'Unsubscribe', body);
}

/**
 * The page that ends the mails about a site for one person. Opening it changes nothing, because mail scanners open every
 * link. Mail programs send a form of their own (RFC 8058), without a cookie or an origin, in any content type: the secret
 * alone shows that it is the person who got the mail.
 */
export function mountUnsubscribe(app: Hono<Env>, { db, clock }: Pages): void {
  const subscriberOf = (c: C) => findSubscriber(db, c.req.param('secret') ?? '');

  mountPath(app, '/unsubscribe/:secret', {
    GET(c) {
      const subscriber = subscriberOf(c);
      return subscriber ? shown(subscriber) : lost();
    },
    async POST(c) {
      const subscriber = subscriberOf(c);
      if (!subscriber) return lost();
      const body = await bodyOf(c.req.raw, BODY_BYTES);
      const isBack = isForm(c.req.raw) && queryOf(body).again === 'yes';
      if (isBack) removeUnsubscribed(db, subscriber);
      else addUnsubscribed(db, subscriber, seconds(clock));
      return wantsPage(c)
        ? shown({ ...subscriber, isUnsubscribed: !isBack })
        : jsonAnswer(200, { data: { domain: subscriber.domain, subscribed: isBack } });
    },
  });
}
