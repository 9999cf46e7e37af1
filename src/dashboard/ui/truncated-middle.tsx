/** Texts with at most this many characters are never cut. */
const LONG = 24;
/**
 * `TAIL` splits a text before its last ten characters, which stay visible. A text with letters of `WHOLE`, such as
 * Arabic ones, is not split. These letters join, have marks, or run from right to left.
 */
const TAIL = /^(.+?)([^\p{M}\u200d].{9})$/su;
const WHOLE = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Devanagari}\p{sc=Thai}]/u;

/**
 * Cuts the middle of a text that is too long for its place. The end stays visible, because paths of pages often differ
 * only at their end.
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
