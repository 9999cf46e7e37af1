import type { Context, Hono } from 'hono';
import { OWN_REFERRER, problemOf } from '../lib/answer.ts';
import { type Fields, Problem } from '../lib/errors.ts';
import { bodyOf, isForm, objectOf, queryOf } from '../lib/input.ts';
import { type Env, mountPath } from '../lib/paths.ts';
import { type Html, html, page } from './html.ts';

export type C = Context<Env>;

const BODY_BYTES = 64 * 1024;

/** With the name of the script that it needs, if any. */
export type Content = { title: string; body: Html; script?: string };

export type Form = {
  path: string;
  /** The form, with what was typed where it is shown again because something was wrong; or an answer in its place. */
  form(c: C, typed: Record<string, string>): Content | Response;
  send(c: C, sent: object): Promise<Response>;
};

export const wantsPage = (c: C): boolean => (c.req.header('Accept') ?? '').includes('text/html');

const errorList = (fields: Fields): Html =>
  html`<div role="alert">${Object.values(fields)
    .map((sentence) => html`<p class="error">${sentence}</p>`)
    .reduce((all, one) => html`${all}${one}`)}</div>`;

/** What was sent, as a form or as JSON. */
const sentIn = async ({ req }: C): Promise<object> =>
  isForm(req.raw) ? queryOf(await bodyOf(req.raw, BODY_BYTES)) : await objectOf(req.raw, BODY_BYTES);

const typedIn = (sent: object): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).filter(([name, value]) => typeof value === 'string' && name !== 'password'));

/** A form that works without a script. What is wrong is said above it, and all that was typed is kept but passwords. */
export function mountForm(app: Hono<Env>, { path, form, send }: Form): void {
  const shown = (status: number, content: Content | Response, problem?: Problem): Response => {
    if (content instanceof Response) return content;
    const { title, body, script } = content;
    // An address with a secret must not be sent as a referrer, not even to this server.
    const policy = path.includes(':secret') ? {} : OWN_REFERRER;
    if (!problem) return page(status, title, body, policy, script);
    const { fields, message, headers } = problem;
    return page(
      status,
      title,
      html`${errorList(fields ?? { form: message })}${body}`,
      { ...policy, ...headers },
      script,
    );
  };

  mountPath(app, path, {
    GET: (c) => shown(200, form(c, {})),
    async POST(c) {
      const before = form(c, {});
      if (before instanceof Response && !wantsPage(c)) throw new Problem('not_found');
      if (before instanceof Response) return before;
      let typed = {};
      try {
        const sent = await sentIn(c);
        typed = typedIn(sent);
        return await send(c, sent);
      } catch (error) {
        const problem = problemOf(error);
        if (problem.code === 'internal' || !wantsPage(c)) throw error;
        return shown(problem.status, form(c, typed), problem);
      }
    },
  });
}
