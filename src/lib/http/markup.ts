/** HTML that `html` inserts into a page unchanged. `html` escapes plain texts. */
export type Html = { html: string };

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

/**
 * Makes HTML from a template. Texts are escaped, so that a text of a visitor cannot become a script. Values of the type
 * Html are inserted unchanged.
 */
export function html(parts: TemplateStringsArray, ...values: (string | Html)[]): Html {
  const texts = values.map((value) => (typeof value === 'string' ? escapeHtml(value) : value.html));
  return { html: parts.map((part, i) => part + (texts[i] ?? '')).join('') };
}
