// A form is a page that works without a script. A program may send its fields as JSON to the same path.
//
// A GET shows the form. A POST sends it. If something is wrong, a browser sees the form again with the errors above.
// Typed values stay, except passwords. A program gets the error as JSON. The header Accept decides between the two.
//
// For example, POST /sign-in with a wrong password answers 422. A browser gets the page, and `curl` gets { "error": …
// }. `mount.ts` mounts all forms by `mountForm`.

import type { Context, Hono } from 'hono';
import type { Coded } from '../lang/coded.ts';
import { inLanguage } from '../lang/sentences.ts';
import { Problem } from '../lib/errors.ts';
import { findProblem, OWN_REFERRER } from '../lib/http/answer.ts';
import { isForm, readBody, readObject, readQuery } from '../lib/http/input.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { type Html, html, writePage } from './html.ts';
import type { PageSay } from './say.ts';

export type C = Context<Env>;

const BODY_BYTES = 64 * 1024;

/** The content of a page. `script` names the file of a script, if the page needs one. */
export type Content = { title: string; body: Html; script?: string };

export type Form = {
  path: string;
  /**
   * Gives the form. `typed` has the values of a first try that failed. A response replaces the form, such as a
   * redirect.
   */
  form(c: C, typed: Record<string, string>, say: PageSay): Content | Response;
  send(c: C, sent: object, say: PageSay): Promise<Response>;
};

/** Mounts a form at its path. */
export function mountForm(app: Hono<Env>, chooseSay: (c: C) => PageSay, { path, form, send }: Form): void {
  const show = (say: PageSay, status: number, content: Content | Response, problem?: Problem): Response => {
    if (content instanceof Response) return content;
    const { language } = say;
    const { title, body, script } = content;
    // A URL with a secret must not leave as a referrer, not even to this server.
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

/** Reads the fields of a form or of a JSON body. */
const readSent = async ({ req }: C): Promise<object> =>
  isForm(req.raw) ? readQuery(await readBody(req.raw, BODY_BYTES)) : await readObject(req.raw, BODY_BYTES);

const keepTyped = (sent: object): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).filter(([name, value]) => typeof value === 'string' && name !== 'password'));
