/**
 * What a regular expression has in place of some characters of a parameter's name. In a URL, brackets may be escaped
 * or not, depending on how the link was written. So the expression matches both forms.
 */
const EXPRESSIONS: Record<string, string> = { '.': '\\.', '[': '(\\[|%5[Bb])', ']': '(]|%5[Dd])' };

/**
 * Writes the part of a regular expression that matches the names of parameters. A site keeps these parameters in the
 * URLs of its pages. `p` and `f[1]` become `p|f(\[|%5[Bb])1(]|%5[Dd])|`. The server puts this part into the script that
 * sites load. The npm package (folder client) puts it into its own tracker.
 */
export const writeKeptNames = (names: readonly string[]): string =>
  names.map((name) => `${name.replaceAll(/[.[\]]/g, (found) => EXPRESSIONS[found] ?? found)}|`).join('');
