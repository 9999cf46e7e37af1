import { createHash } from 'node:crypto';
import { type Colour, dark, light } from '../assets/palette.ts';
import { type Headers, pageAnswer } from '../lib/answer.ts';
import { type Html, html } from '../lib/markup.ts';

export { type Html, html };

const USED: readonly Colour[] = ['ink', 'soft', 'paper', 'line', 'accent', 'on', 'bad'];
const variables = (colours: typeof light): string => USED.map((name) => `--${name}: ${colours[name]}`).join('; ');

const STYLE = `
:root { color-scheme: light dark; ${variables(light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 26rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; letter-spacing: -.01em }
.brand { margin: 0 0 2rem; font-weight: 600; color: var(--accent) }
p { margin: 0 0 1rem }
a { color: var(--accent) }
label { display: block; margin: 0 0 1rem; font-weight: 600 }
small, .soft { color: var(--soft); font-weight: 400; font-size: .875rem }
input { display: block; width: 100%; margin: .25rem 0 0; padding: .6rem .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--soft); border-radius: .375rem }
input[type=checkbox] { display: inline; width: auto; margin: 0 .25rem 0 0 }
.choice { font-weight: 400 }
button { width: 100%; padding: .7rem; font: inherit; font-weight: 600; color: var(--on); background: var(--accent); border: 0; border-radius: .375rem; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.live { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums }
svg { display: block; width: 14rem; margin: 0 auto 1rem }
.error { color: var(--bad); font-weight: 600 }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .375rem; font-size: .875rem }
`;
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/** Apart, because in a template it would be the one letter that is not ASCII in the program, which node reads slower then. */
const OURS = ' · daybook';

export function page(status: number, title: string, body: Html, headers: Headers = {}, script?: string): Response {
  const { html: text } = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}${OURS}</title><style>${{ html: STYLE }}</style>${script ? html`<script type="module" src="/assets/${script}"></script>` : html``}</head>
<body><main><p class="brand">daybook</p><h1>${title}</h1>
${body}
</main></body>
</html>
`;
  return pageAnswer(status, text, STYLE_HASH, headers, script !== undefined);
}
