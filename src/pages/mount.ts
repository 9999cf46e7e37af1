import type { Context, Hono } from 'hono';
import type * as v from 'valibot';
import { jsonAnswer, problemOf } from '../lib/answer.ts';
import { type Fields, Problem } from '../lib/errors.ts';
import { bodyOf, checked, isForm, objectOf, queryOf } from '../lib/input.ts';
import { type Env, mountPath } from '../lib/paths.ts';
import { home } from './home.ts';
import { type Html, html, page } from './html.ts';
import { invite } from './invite.ts';
import type { LinkPage, Pages } from './link.ts';
import { password } from './password.ts';
import { setup } from './setup.ts';

type C = Context<Env>;

const BODY_BYTES = 64 * 1024;

const wantsPage = (c: C): boolean => (c.req.header('Accept') ?? '').includes('text/html');

const errorList = (fields: Fields): Html =>
  html`<div role="alert">${Object.values(fields)
    .map((sentence) => html`<p class="error">${sentence}</p>`)
    .reduce((all, one) => html`${all}${one}`)}</div>`;

/** The same link for a person with a browser and for a program: a form and a page, or JSON and JSON. */
function mountLink<Subject, Schema extends v.GenericSchema, Data>(
  app: Hono<Env>,
  pages: Pages,
  link: LinkPage<Subject, Schema, Data>,
): void {
  const { find, form, act, done } = link;
  const secretOf = (c: C) => c.req.param('secret') ?? '';
  const lost = () => page(404, 'This link does not work', html`<p>${link.lost}</p>`);

  const take = async (c: C, read = (_sent: object) => {}): Promise<{ subject: Subject; data: Data }> => {
    const secret = secretOf(c);
    const subject = find(pages, secret);
    if (subject === undefined) throw new Problem('not_found');
    const { raw } = c.req;
    const sent = isForm(raw) ? queryOf(await bodyOf(raw, BODY_BYTES)) : await objectOf(raw, BODY_BYTES);
    read(sent);
    return { subject, data: await act(pages, secret, subject, checked(link.body, sent)) };
  };

  mountPath(app, link.path, {
    GET(c) {
      const subject = find(pages, secretOf(c));
      if (subject === undefined) return lost();
      const { title, body } = form(subject);
      return page(200, title, body);
    },
    async POST(c) {
      if (!wantsPage(c)) return jsonAnswer(200, { data: (await take(c)).data });
      let typed: string | undefined;
      try {
        const { subject, data } = await take(c, (sent) => {
          if ('email' in sent && typeof sent.email === 'string') typed = sent.email;
        });
        const { title, body } = done(subject, data);
        return page(200, title, body);
      } catch (error) {
        const { code, status, message, fields, headers } = problemOf(error);
        if (code === 'internal') throw error;
        const subject = find(pages, secretOf(c));
        if (code === 'not_found' || subject === undefined) return lost();
        const { title, body } = form(subject, typed);
        return page(status, title, html`${errorList(fields ?? { form: message })}${body}`, headers);
      }
    },
  });
}

export function mountPages(app: Hono<Env>, pages: Pages): void {
  mountPath(app, '/', { GET: () => home(pages) });
  mountLink(app, pages, setup);
  mountLink(app, pages, invite);
  mountLink(app, pages, password);
}
