/** HTML that is inserted into a page unchanged. */
export type Html = { html: string };

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

/** Makes HTML from a template. Values that are text are escaped, and values of the type Html are inserted unchanged. */
export function html(parts: TemplateStringsArray, ...values: (string | Html)[]): Html {
  const texts = values.map((value) => (typeof value === 'string' ? escapeHtml(value) : value.html));
  return { html: parts.map((part, i) => part + (texts[i] ?? '')).join('') };
}
