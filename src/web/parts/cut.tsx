/** Texts up to this length are never cut. */
const LONG = 24;
/**
 * Splits a text so that its last ten characters stay visible. Texts in some scripts are not split, because their
 * letters are joined or run from right to left.
 */
const TAIL = /^(.+?)([^\p{M}\u200d].{9})$/su;
const WHOLE = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Devanagari}\p{sc=Thai}]/u;

/**
 * Shows a text. If the text is too long for its place, its middle is cut. Pages often differ only at the end of their
 * path.
 */
export function Cut({ text }: { text: string }) {
  const [, head, tail] = (text.length > LONG && !WHOLE.test(text) && TAIL.exec(text)) || [];
  if (tail === undefined) return <>{text}</>;
  return (
    <span class="cut">
      <span>{head}</span>
      <span>{tail}</span>
    </span>
  );
}
