import type { Context, Hono } from 'hono';
import type { Coded } from '../lang/coded.ts';
import { inLanguage } from '../lang/sentences.ts';
import { Problem } from '../lib/errors.ts';
import { findProblem, OWN_REFERRER } from '../lib/http/answer.ts';
import { isForm, readBody, readObject, readQuery } from '../lib/http/input.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { type Html, html, page } from './html.ts';
import type { PageSay } from './say.ts';

export type C = Context<Env>;

const BODY_BYTES = 64 * 1024;

/** With the name of the script that it needs, if any. */
export type Content = { title: string; body: Html; script?: string };

export type Form = {
  path: string;
  /** The form, with what was typed where it is shown again because something was wrong; or an answer in its place. */
  form(c: C, typed: Record<string, string>, say: PageSay): Content | Response;
  send(c: C, sent: object, say: PageSay): Promise<Response>;
};

export const wantsPage = (c: C): boolean => (c.req.header('Accept') ?? '').includes('text/html');

const errorList = (faults: Coded[], { language }: PageSay): Html =>
  html`<div role="alert">${faults
    .map((fault) => html`<p class="error">${inLanguage(fault, language)}</p>`)
    .reduce((all, one) => html`${all}${one}`)}</div>`;

/** What was sent, as a form or as JSON. */
const sentIn = async ({ req }: C): Promise<object> =>
  isForm(req.raw) ? readQuery(await readBody(req.raw, BODY_BYTES)) : await readObject(req.raw, BODY_BYTES);

const typedIn = (sent: object): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).filter(([name, value]) => typeof value === 'string' && name !== 'password'));

/** A form that works without a script. What is wrong is said above it, and all that was typed is kept but passwords. */
export function mountForm(app: Hono<Env>, sayFor: (c: C) => PageSay, { path, form, send }: Form): void {
  const shown = (say: PageSay, status: number, content: Content | Response, problem?: Problem): Response => {
    if (content instanceof Response) return content;
    const { language } = say;
    const { title, body, script } = content;
    // An address with a secret must not be sent as a referrer, not even to this server.
    const policy = path.includes(':secret') ? {} : OWN_REFERRER;
    if (!problem) return page({ language, status, title, body, headers: policy, script });
    const { fields, said, headers } = problem;
    const withErrors = html`${errorList(fields ? Object.values(fields) : [said], say)}${body}`;
    return page({ language, status, title, body: withErrors, headers: { ...policy, ...headers }, script });
  };

  mountPath(app, path, {
    GET(c) {
      const say = sayFor(c);
      return shown(say, 200, form(c, {}, say));
    },
    async POST(c) {
      const say = sayFor(c);
      const before = form(c, {}, say);
      if (before instanceof Response && !wantsPage(c)) throw new Problem('not_found');
      if (before instanceof Response) return before;
      let typed = {};
      try {
        const sent = await sentIn(c);
        typed = typedIn(sent);
        return await send(c, sent, say);
      } catch (error) {
        const problem = findProblem(error);
        if (problem.code === 'internal' || !wantsPage(c)) throw error;
        return shown(say, problem.status, form(c, typed, say), problem);
      }
    },
  });
}
