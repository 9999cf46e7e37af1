/**
 * Writes the snippet for Google Tag Manager, which removes attributes such as `data-site`. So the result is a script
 * that makes the script element of the snippet, and sets its attributes.
 */
export function writeForTagManager(snippet: string): string {
  const attributes = [...snippet.matchAll(/ (src|data-[\w-]+)(?:="([^"]*)")?/g)];
  const lines = attributes.map(([, name, value = '']) => `s.setAttribute('${name}', '${value}');`);
  return `<script>(function (s) { ${lines.join(' ')} document.head.appendChild(s); })(document.createElement('script'))</script>`;
}
