// Writes a letter as HTML. text.ts writes the same content as plain text.
//
// Mail programs support only a little HTML. So tables make the layout, every element has its own style, and nothing is
// loaded from the network. All values pass through `html`, which escapes them. delivery.ts and `daybook mail preview`
// call `writeLetter`, which returns both HTML and text.

import { dark, light } from '../embedded/palette.ts';
import { type Html, html } from '../lib/http/markup.ts';
import type { Block, Footer, Letter, LetterCell, Written } from './letter.ts';
import { writeText } from './text.ts';
import type { Voice } from './voice.ts';

/**
 * The colours for a mail program in dark mode. A program that ignores style elements shows the mail in light colours.
 */
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .paper { background: ${dark.paper} !important }
  .card { background: ${dark.card} !important; border-color: ${dark.line} !important }
  .ink { color: ${dark.ink} !important }
  .soft { color: ${dark.soft} !important }
  .line { border-color: ${dark.line} !important }
  .accent { color: ${dark.accent} !important }
  .good { color: ${dark.good} !important }
  .bad { color: ${dark.bad} !important }
  .bar { background: ${dark.accent} !important }
  .button { background: ${dark.accent} !important; color: ${dark.on} !important }
}
`;

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

export const writeLetter = (letter: Letter, footer: Footer, voice: Voice): Written => ({
  subject: letter.subject,
  text: writeText(letter, footer, voice),
  html: writeHtml(letter, footer, voice),
});

/** Makes a style attribute. All styles are constants of this file, so they need no escaping. */
const styled = (style: string): Html => ({ html: ` style="${style}"` });
const joined = (parts: readonly Html[]): Html => ({ html: parts.map((part) => part.html).join('') });

const TABLE: Html = { html: 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"' };
const GRID: Html = { html: 'width="100%" cellpadding="0" cellspacing="0" border="0"' };

const HEADING = `${FONT};font-size:14px;line-height:20px;color:${light.soft};font-weight:600;text-align:left`;

function cell({ words, tone }: LetterCell, isFirst: boolean, width: string): Html {
  const color = light[tone ?? 'ink'];
  const place = isFirst
    ? 'text-align:left;word-break:break-word'
    : 'text-align:right;white-space:nowrap;padding-left:16px';
  const style = `${FONT};font-size:15px;line-height:20px;padding-top:8px;padding-bottom:8px;border-top:1px solid ${light.line};color:${color};vertical-align:top;${place}${width}`;
  return html`<td class="line ${tone ?? 'ink'}"${styled(style)}>${words}</td>`;
}

const heading = (words: string): Html =>
  html`<tr><td class="soft"${styled(`${HEADING};padding-bottom:8px`)}>${words}</td></tr>`;

const BLOCKS: { [Kind in Block['kind']]: (block: Extract<Block, { kind: Kind }>, voice: Voice) => Html } = {
  words({ words, link }) {
    const more =
      link && html` <a class="accent" href="${link.url}"${styled(`color:${light.accent}`)}>${link.words}</a>`;
    return html`<p class="ink"${styled(`${FONT};font-size:16px;line-height:24px;color:${light.ink};margin:0`)}>${words}${more ?? ''}</p>`;
  },
  table({ heading: name, columns, rows }) {
    const names = columns.map(
      (column) =>
        html`<th class="soft" scope="col"${styled(`${HEADING};text-align:right;padding-left:16px;padding-bottom:8px;white-space:nowrap`)}>${column}</th>`,
    );
    const lines = rows.map(
      (row) => html`<tr>${joined(row.map((one, i) => cell(one, i === 0, i === 0 ? ';width:100%' : '')))}</tr>`,
    );
    return html`<table ${GRID}><tr><th class="soft" scope="col"${styled(`${HEADING};padding-bottom:8px`)}>${name}</th>${joined(names)}</tr>${joined(lines)}</table>`;
  },
  bars({ heading: name, rows }, { number }) {
    const most = Math.max(1, ...rows.map(({ value }) => value));
    const text = `${FONT};font-size:14px;line-height:20px;padding:3px 0;white-space:nowrap`;
    const lines = rows.map(({ name: row, value }) => {
      const share = Math.round((value / most) * 100);
      // Some mail programs show a cell of width 0 as a wide cell. So a bar of width 0 is left out.
      const bar = html`<td class="bar" bgcolor="${light.accent}" width="${String(share)}%"${styled(`background:${light.accent};border-radius:2px;height:14px;line-height:14px;font-size:1px`)}>&nbsp;</td>`;
      const rest = html`<td${styled('line-height:14px;font-size:1px')}>&nbsp;</td>`;
      return html`<tr><td class="soft"${styled(`${text};color:${light.soft};padding-right:12px`)}>${row}</td><td width="100%"><table ${TABLE}><tr>${share > 0 ? bar : { html: '' }}${share < 100 ? rest : { html: '' }}</tr></table></td><td class="ink" align="right"${styled(`${text};color:${light.ink};padding-left:12px;text-align:right`)}>${number(value)}</td></tr>`;
    });
    return html`<table ${TABLE}>${heading(name)}<tr><td><table ${GRID}>${joined(lines)}</table></td></tr></table>`;
  },
};

const blockHtml = (block: Block, voice: Voice): Html =>
  html`<tr><td${styled('padding-top:24px')}>${(BLOCKS[block.kind] as (block: Block, voice: Voice) => Html)(block, voice)}</td></tr>`;

const small = `${FONT};font-size:13px;line-height:20px;color:${light.soft}`;

function writeHtml({ subject, title, blocks, link }: Letter, { because, unsubscribe }: Footer, voice: Voice): string {
  const button = html`<a class="button" href="${link.url}"${styled(`${FONT};display:inline-block;padding:10px 18px;border-radius:6px;background:${light.accent};color:${light.on};font-size:15px;line-height:20px;font-weight:600;text-decoration:none`)}>${link.words}</a>`;
  return html`<!doctype html>
<html lang="${voice.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${subject}</title><style>${{ html: DARK }}</style></head>
<body class="paper"${styled(`margin:0;padding:0;background:${light.paper}`)}>
<table class="paper" ${TABLE} bgcolor="${light.paper}"${styled(`background:${light.paper}`)}><tr><td align="center"${styled('padding:24px 12px')}>
<table ${TABLE}${styled('max-width:600px')}>
<tr><td class="accent"${styled(`${FONT};font-size:15px;line-height:20px;font-weight:600;color:${light.accent};padding:0 4px 12px`)}>daybook</td></tr>
<tr><td class="card" bgcolor="${light.card}"${styled(`background:${light.card};border:1px solid ${light.line};border-radius:10px;padding:24px 20px`)}>
<table ${TABLE}>
<tr><td><h1 class="ink"${styled(`${FONT};font-size:22px;line-height:28px;color:${light.ink};margin:0`)}>${title}</h1></td></tr>
${joined(blocks.map((block) => blockHtml(block, voice)))}
<tr><td${styled('padding-top:28px')}>${button}</td></tr>
</table>
</td></tr>
<tr><td class="soft"${styled(`${small};padding:16px 4px 0`)}>${because} <a class="soft" href="${unsubscribe}"${styled(`color:${light.soft}`)}>${voice.t('Unsubscribe')}</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
`.html;
}
