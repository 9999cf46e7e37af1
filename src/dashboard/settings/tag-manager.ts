/**
 * Writes the snippet for Google Tag Manager, which removes attributes such as `data-site`. So this code makes the
 * script element itself.
 */
export function writeForTagManager(snippet: string): string {
  const attributes = [...snippet.matchAll(/ (src|data-[\w-]+)(?:="([^"]*)")?/g)];
  const lines = attributes.map(([, name, value = '']) => `s.setAttribute('${name}', '${value}');`);
  return `<script>(function (s) { ${lines.join(' ')} document.head.appendChild(s); })(document.createElement('script'))</script>`;
}
