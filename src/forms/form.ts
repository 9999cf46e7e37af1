// A form is a page that works without a script. Only the forms for passkeys need a script. A program may send the
// fields of a form as JSON to the path of the form.
//
// GET shows the form, and POST sends its fields. If a field is wrong, a browser gets the form again, with the errors
// above it. Typed values stay in the form, except passwords. A program gets the error as JSON. The header Accept tells
// whether the client is a browser.
//
// For example, POST /sign-in with a wrong password answers 422. A browser gets the page, and `curl` gets the error as
// JSON. `mount.ts` mounts every form with `mountForm`.

import type { Context, Hono } from 'hono';
import type { Coded } from '../lang/coded.ts';
import { inLanguage } from '../lang/translated-sentences.ts';
import { Problem } from '../lib/errors.ts';
import { findProblem, OWN_REFERRER } from '../lib/http/answer.ts';
import { isForm, readBody, readObject, readQuery } from '../lib/http/input.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { type Html, html, writePage } from './html.ts';
import type { PageSay } from './say.ts';

export type C = Context<Env>;

const BODY_BYTES = 64 * 1024;

/** The content of a page. `script` is the file name of a script, if the page needs a script. */
export type Content = { title: string; body: Html; script?: string };

export type Form = {
  path: string;
  /**
   * Returns the form. If the user's last try failed, `typed` has the values of that try. If the function returns a
   * response, such as a redirect, the client gets this response in place of the form.
   */
  form(c: C, typed: Record<string, string>, say: PageSay): Content | Response;
  send(c: C, sent: object, say: PageSay): Promise<Response>;
};

export function mountForm(app: Hono<Env>, chooseSay: (c: C) => PageSay, { path, form, send }: Form): void {
  const show = (say: PageSay, status: number, content: Content | Response, problem?: Problem): Response => {
    if (content instanceof Response) return content;
    const { language } = say;
    const { title, body, script } = content;
    // If the URL contains a secret, browsers must not send the URL as a referrer, not even to this server.
    const policy = path.includes(':secret') ? {} : OWN_REFERRER;
    if (!problem) return writePage({ language, status, title, body, headers: policy, script });
    const { fields, said, headers } = problem;
    const withErrors = html`${listErrors(fields ? Object.values(fields) : [said], say)}${body}`;
    return writePage({ language, status, title, body: withErrors, headers: { ...policy, ...headers }, script });
  };

  mountPath(app, path, {
    GET(c) {
      const say = chooseSay(c);
      return show(say, 200, form(c, {}, say));
    },
    async POST(c) {
      const say = chooseSay(c);
      const before = form(c, {}, say);
      if (before instanceof Response && !wantsPage(c)) throw new Problem('not_found');
      if (before instanceof Response) return before;
      let typed = {};
      try {
        const sent = await readSent(c);
        typed = keepTyped(sent);
        return await send(c, sent, say);
      } catch (error) {
        const problem = findProblem(error);
        if (problem.code === 'internal' || !wantsPage(c)) throw error;
        return show(say, problem.status, form(c, typed, say), problem);
      }
    },
  });
}

export const wantsPage = (c: C): boolean => (c.req.header('Accept') ?? '').includes('text/html');

const listErrors = (faults: Coded[], { language }: PageSay): Html =>
  html`<div role="alert">${faults
    .map((fault) => html`<p class="error">${inLanguage(fault, language)}</p>`)
    .reduce((all, one) => html`${all}${one}`)}</div>`;

const readSent = async ({ req }: C): Promise<object> =>
  isForm(req.raw) ? readQuery(await readBody(req.raw, BODY_BYTES)) : await readObject(req.raw, BODY_BYTES);

const keepTyped = (sent: object): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).filter(([name, value]) => typeof value === 'string' && name !== 'password'));
