// Made from src/lib/kept-names.ts by npm run build:client.
/**
 * Characters in names of page parameters that a regular expression must write in another form. In a URL, brackets may
 * be escaped or not, depending on how the link was written.
 */
const EXPRESSIONS: Record<string, string> = { '.': '\\.', '[': '(\\[|%5[Bb])', ']': '(]|%5[Dd])' };

/**
 * Writes the names of page parameters as a part of a regular expression. `p` and `f[1]` become
 * `p|f(\[|%5[Bb])1(]|%5[Dd])|`. The server puts this text into the script that sites load. The npm package (folder
 * client) uses it in its own tracker.
 */
export const writeKeptNames = (names: readonly string[]): string =>
  names.map((name) => `${name.replaceAll(/[.[\]]/g, (found) => EXPRESSIONS[found] ?? found)}|`).join('');
