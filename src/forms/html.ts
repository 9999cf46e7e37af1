// The HTML of pages without scripts: one layout with its styles.
//
// The styles are inside the page, and the content security policy allows them by their hash. Browsers ignore other
// styles and scripts, except a script that the page names. `html` of `lib/http/markup.ts` escapes texts in a template,
// except results of `html` itself. All forms of this folder call `writePage`.

import { createHash } from 'node:crypto';
import { type Colour, dark, light } from '../embedded/palette.ts';
import type { Language } from '../lang/languages.ts';
import { answerPage, type Headers } from '../lib/http/answer.ts';
import { type Html, html } from '../lib/http/markup.ts';

export { type Html, html };

const USED: readonly Colour[] = [
  'ink',
  'soft',
  'paper',
  'card',
  'line',
  'edge',
  'accent',
  'accent-strong',
  'on',
  'bad',
];
const writeVariables = (colours: typeof light): string => USED.map((name) => `--${name}: ${colours[name]}`).join('; ');

const STYLE = `
:root { color-scheme: light dark; ${writeVariables(light)} }
@media (prefers-color-scheme: dark) { :root { ${writeVariables(dark)} } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); align-content: center; justify-items: center; padding: 1.5rem 1rem; background: var(--paper); color: var(--ink); font: .9375rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
main { width: 100%; max-width: 26rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .625rem }
h1 { font-size: 1.5rem; font-weight: 600; line-height: 1.25; margin: 0 0 1rem; letter-spacing: -.015em; text-wrap: balance }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0 0 1.25rem; font-size: 1.0625rem; font-weight: 600; color: var(--accent) }
.brand svg { width: 1.25rem; margin: 0 }
p { margin: 0 0 1rem; text-wrap: pretty }
main > :last-child, form:last-child > :last-child { margin-bottom: 0 }
form { margin: 0 0 1rem }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .2em }
label { display: block; margin: 0 0 1rem; font-weight: 500 }
small, .soft { color: var(--soft); font-weight: 400; font-size: .8125rem }
input { display: block; width: 100%; min-height: 2.5rem; margin: .25rem 0 0; padding: .375rem .75rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: .375rem }
input[type=checkbox] { display: inline; width: auto; min-height: 0; margin: 0 .25rem 0 0; accent-color: var(--accent) }
.choice { font-weight: 400 }
button { width: 100%; min-height: 2.5rem; padding: .375rem .875rem; font: inherit; font-weight: 500; color: var(--on); background: var(--accent); border: 1px solid var(--accent); border-radius: .375rem; cursor: pointer }
button:hover { background: var(--accent-strong); border-color: var(--accent-strong) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.live { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums }
svg { display: block; width: 14rem; margin: 0 auto 1rem }
.error { color: var(--bad); font-weight: 500 }
pre { padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: .375rem; font-size: .8125rem }
`;
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/**
 * Node reads a long source text more slowly if one character is not ASCII. So the dot, which is not ASCII, has a short
 * text of its own.
 */
const OURS = ' · daybook';

const BARS = html`<svg viewBox="0 0 20 20" width="20" height="20" fill="currentColor" aria-hidden="true"><path d="M2 12.5h4V18H2zM8 8h4v10H8zM14 2h4v16h-4z"/></svg>`;

export type Page = {
  language: Language;
  status: number;
  title: string;
  body: Html;
  headers?: Headers;
  script?: string | undefined;
};

export function writePage({ language, status, title, body, headers = {}, script }: Page): Response {
  const { html: text } = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}${OURS}</title><style>${{ html: STYLE }}</style>${script ? html`<script type="module" src="/assets/${script}"></script>` : html``}</head>
<body><header class="brand">${BARS}daybook</header><main><h1>${title}</h1>
${body}
</main></body>
</html>
`;
  return answerPage(status, text, STYLE_HASH, headers, script !== undefined);
}
