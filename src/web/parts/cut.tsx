/** Shorter texts fit nearly everywhere. */
const LONG = 24;
/** Its last signs stay to be seen; the letters of these scripts are joined, or run from right to left. */
const TAIL = /^(.+?)([^\p{M}\u200d].{9})$/su;
const WHOLE = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Devanagari}\p{sc=Thai}]/u;

/** A text that, where it is too long for its place, is cut in its middle: the end of a path tells pages apart. */
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
