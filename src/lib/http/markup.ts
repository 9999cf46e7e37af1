/** HTML that may go into a page unchanged. */
export type Html = { html: string };

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

/** Makes HTML of a template. Each text is escaped, and only Html goes in unchanged. */
export function html(parts: TemplateStringsArray, ...values: (string | Html)[]): Html {
  const texts = values.map((value) => (typeof value === 'string' ? escapeHtml(value) : value.html));
  return { html: parts.map((part, i) => part + (texts[i] ?? '')).join('') };
}
