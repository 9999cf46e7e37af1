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
 * Mounts the page that ends the mails about a site for one person. Programs that scan mails open every link. So opening
 * the page changes nothing. A mail program can send the form without opening the page (RFC 8058). Such a request has no
 * cookie and no header Origin. So only the secret in the URL is checked.
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
  const sentence = t(
    'The link is incomplete, or the site or your account was deleted. If it was deleted, you get no more e-mails.',
  );
  return writePage({ language, status: 404, title: t('This link does not work'), body: html`<p>${sentence}</p>` });
}

function showSubscriber({ domain, email, isUnsubscribed }: Subscriber, { language, t }: PageSay): Response {
  const body = isUnsubscribed
    ? html`<p>${t('{email} no longer gets e-mails about {domain}.', { email, domain })}</p>
<form method="post"><input name="again" type="hidden" value="yes"><button>${t('Subscribe again')}</button></form>`
    : html`<p>${t('{email} gets reports and alerts about {domain}.', { domain, email })}</p>
<form method="post"><button>${t('Unsubscribe')}</button></form>`;
  return writePage({ language, status: 200, title: t(isUnsubscribed ? 'Unsubscribed' : 'Unsubscribe'), body });
}
