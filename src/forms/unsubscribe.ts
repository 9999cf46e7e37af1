import type { Hono } from 'hono';
import { jsonAnswer } from '../lib/http/answer.ts';
import { isForm, readBody, readQuery } from '../lib/http/input.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { seconds } from '../lib/time.ts';
import { addUnsubscribed, findSubscriber, removeUnsubscribed, type Subscriber } from '../store/mail/unsubscribed.ts';
import { type C, wantsPage } from './form.ts';
import { html, page } from './html.ts';
import { sayFor } from './language.ts';
import type { Pages } from './link.ts';
import type { PageSay } from './say.ts';

const BODY_BYTES = 64 * 1024;

function lost({ language, t }: PageSay): Response {
  const sentence = t('It is incomplete, or the site or your account was deleted, and no mails are sent any more.');
  return page({ language, status: 404, title: t('This link does not work'), body: html`<p>${sentence}</p>` });
}

function shown({ domain, email, isUnsubscribed }: Subscriber, { language, t }: PageSay): Response {
  const body = isUnsubscribed
    ? html`<p>${t('{email} gets no mails about {domain} any more.', { email, domain })}</p>
<form method="post"><input name="again" type="hidden" value="yes"><button>${t('Get them again')}</button></form>`
    : html`<p>${t('Reports and alerts about {domain} are sent to {email}.', { domain, email })}</p>
<form method="post"><button>${t('Send no more of them')}</button></form>`;
  return page({ language, status: 200, title: t(isUnsubscribed ? 'Unsubscribed' : 'Unsubscribe'), body });
}

/**
 * The page that ends the mails about a site for one person. Opening it changes nothing, because mail scanners open every
 * link. Mail programs send a form of their own (RFC 8058), without a cookie or an origin, in any content type: the secret
 * alone shows that it is the person who got the mail.
 */
export function mountUnsubscribe(app: Hono<Env>, pages: Pages): void {
  const { db, clock } = pages;
  const subscriberOf = (c: C) => findSubscriber(db, c.req.param('secret') ?? '');

  mountPath(app, '/unsubscribe/:secret', {
    GET(c) {
      const subscriber = subscriberOf(c);
      const say = sayFor(pages, c);
      return subscriber ? shown(subscriber, say) : lost(say);
    },
    async POST(c) {
      const subscriber = subscriberOf(c);
      const say = sayFor(pages, c);
      if (!subscriber) return lost(say);
      const body = await readBody(c.req.raw, BODY_BYTES);
      const isBack = isForm(c.req.raw) && readQuery(body).again === 'yes';
      if (isBack) removeUnsubscribed(db, subscriber);
      else addUnsubscribed(db, subscriber, seconds(clock));
      return wantsPage(c)
        ? shown({ ...subscriber, isUnsubscribed: !isBack }, say)
        : jsonAnswer(200, { data: { domain: subscriber.domain, subscribed: isBack } });
    },
  });
}
