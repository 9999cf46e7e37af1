// The HTML of pages without scripts: one layout with its styles.
//
// The styles are inside the page, and the content security policy allows them by their hash. Browsers ignore all other
// styles. They also ignore all scripts, except one script that a page may name. `html` of `lib/http/markup.ts` escapes
// all values in a template, except HTML that `html` itself has made. All forms of this folder call `writePage`.

import { createHash } from 'node:crypto';
import { type Colour, dark, light, sizes } from '../embedded/palette.ts';
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
export const writeVariables = (colours: typeof light): string =>
  USED.map((name) => `--${name}: ${colours[name]}`).join('; ');

const STYLE = `
:root { color-scheme: light dark; ${sizes} ${writeVariables(light)} }
@media (prefers-color-scheme: dark) { :root { ${writeVariables(dark)} } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); align-content: center; justify-items: center; padding: var(--space-5) var(--space-4); background: var(--paper); color: var(--ink); font: var(--text)/1.5 var(--font); overflow-wrap: break-word }
main { width: 100%; max-width: 26rem; padding: var(--space-5); background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-large) }
h1, h2 { margin: 0 0 var(--space-4); font-weight: 600; line-height: 1.25 }
h1 { font-size: var(--text-huge); letter-spacing: -.015em; text-wrap: pretty }
h2 { font-size: var(--text-large) }
.brand { display: flex; align-items: center; gap: var(--space-2); margin: 0 0 var(--space-5); font-size: var(--text-large); font-weight: 600; color: var(--accent) }
.brand svg { width: 1.25rem; margin: 0 }
p { margin: 0 0 var(--space-4); text-wrap: pretty }
main > :last-child, form:last-child > :last-child { margin-bottom: 0 }
ul { margin: 0 0 var(--space-4); padding-inline-start: var(--space-5) }
form { margin: 0 0 var(--space-4) }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .2em }
label { display: block; margin: 0 0 var(--space-4); font-weight: 500 }
label small { display: block }
small, .soft { color: var(--soft); font-weight: 400; font-size: var(--text-small) }
input { display: block; width: 100%; min-height: 2.5rem; margin: var(--space-1) 0 0; padding: var(--space-1) var(--space-3); font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: var(--radius) }
.choice { padding-inline-start: var(--space-5); font-weight: 400 }
.choice input { float: inline-start; width: 1rem; min-height: 1.5em; margin: 0 0 0 calc(-1 * var(--space-5)); accent-color: var(--accent) }
button, .button { display: block; width: 100%; min-height: 2.5rem; padding: var(--space-2) var(--space-4); font: inherit; font-weight: 500; line-height: 1.5rem; text-align: center; text-decoration: none; color: var(--on); background: var(--accent); border: 1px solid var(--accent); border-radius: var(--radius); cursor: pointer }
button:hover, .button:hover { background: var(--accent-strong); border-color: var(--accent-strong) }
details { margin: 0 0 var(--space-4) }
summary { color: var(--accent); cursor: pointer }
details form { margin: var(--space-2) 0 0 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
button.danger, button.danger:hover { color: var(--bad); background: var(--card); border-color: var(--bad) }
.live { font-size: var(--text-huge); font-weight: 600; font-variant-numeric: tabular-nums }
svg { display: block; width: 14rem; margin: 0 auto var(--space-4) }
.error { color: var(--bad); font-weight: 500 }
pre { padding: var(--space-3); white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: var(--radius); font: var(--text-small)/1.5 var(--mono) }
code { font-family: var(--mono) }
.codes { font-size: var(--text); user-select: all }
`;
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/**
 * The dot is not ASCII. Node reads a long text of the source code more slowly if one of its characters is not ASCII. So
 * the dot stands in a short text of its own.
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
