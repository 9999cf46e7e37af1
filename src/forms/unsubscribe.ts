import type { Hono } from 'hono';
import { answerJson } from '../lib/http/answer.ts';
import { isForm, readBody, readQuery } from '../lib/http/input.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { seconds } from '../lib/time.ts';
import { addUnsubscribed, findSubscriber, removeUnsubscribed, type Subscriber } from '../store/mail/unsubscribed.ts';
import { type C, wantsPage } from './form.ts';
import { html, writePage } from './html.ts';
import { chooseSay } from './language.ts';
import type { Pages } from './link.ts';
import type { PageSay } from './say.ts';

const BODY_BYTES = 64 * 1024;

/**
 * Mounts the page that ends the mails about a site for one person. Mail scanners open every link, so opening the page
 * changes nothing. Mail programs send a form of their own (RFC 8058), without a cookie or an origin. So only the secret
 * in the URL is checked.
 */
export function mountUnsubscribe(app: Hono<Env>, pages: Pages): void {
  const { db, clock } = pages;
  const readSubscriber = (c: C) => findSubscriber(db, c.req.param('secret') ?? '');

  mountPath(app, '/unsubscribe/:secret', {
    GET(c) {
      const subscriber = readSubscriber(c);
      const say = chooseSay(pages, c);
      return subscriber ? showSubscriber(subscriber, say) : showLost(say);
    },
    async POST(c) {
      const subscriber = readSubscriber(c);
      const say = chooseSay(pages, c);
      if (!subscriber) return showLost(say);
      const body = await readBody(c.req.raw, BODY_BYTES);
      const isBack = isForm(c.req.raw) && readQuery(body).again === 'yes';
      if (isBack) removeUnsubscribed(db, subscriber);
      else addUnsubscribed(db, subscriber, seconds(clock));
      return wantsPage(c)
        ? showSubscriber({ ...subscriber, isUnsubscribed: !isBack }, say)
        : answerJson(200, { data: { domain: subscriber.domain, subscribed: isBack } });
    },
  });
}

function showLost({ language, t }: PageSay): Response {
  const sentence = t('It is incomplete, or the site or your account was deleted, and no mails are sent any more.');
  return writePage({ language, status: 404, title: t('This link does not work'), body: html`<p>${sentence}</p>` });
}

function showSubscriber({ domain, email, isUnsubscribed }: Subscriber, { language, t }: PageSay): Response {
  const body = isUnsubscribed
    ? html`<p>${t('{email} gets no mails about {domain} any more.', { email, domain })}</p>
<form method="post"><input name="again" type="hidden" value="yes"><button>${t('Get them again')}</button></form>`
    : html`<p>${t('Reports and alerts about {domain} are sent to {email}.', { domain, email })}</p>
<form method="post"><button>${t('Send no more of them')}</button></form>`;
  return writePage({ language, status: 200, title: t(isUnsubscribed ? 'Unsubscribed' : 'Unsubscribe'), body });
}
