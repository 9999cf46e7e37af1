import { spanText } from '../format.ts';
import { retold } from '../texts.ts';

/** The days that a sentence names, as the reader writes them. */
const withDates = (sentence: string): string =>
  sentence.replaceAll(/(\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d))?/g, (_, from: string, to: string = from) =>
    spanText({ from, to }),
  );

/** The answers of reports have them, where something is left out. */
type Noticed = { notices?: string[] | undefined };

/** What the server says that its answers leave out, each sentence once. */
export function Notices({ of }: { of: readonly (object | undefined)[] }) {
  const sentences = [...new Set(of.flatMap((answer) => (answer as Noticed | undefined)?.notices ?? []))];
  if (sentences.length === 0) return null;
  return (
    <div class="notices">
      {sentences.map((sentence) => (
        <p key={sentence}>{withDates(retold(sentence))}</p>
      ))}
    </div>
  );
}
