import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Overview } from '../../api/answers.ts';
import { said } from '../core/server-text.ts';

/** The notices of an answer of the API, which say what the answer lacks. */
type Noticed = Pick<Overview, 'notices' | 'notice_codes'>;
type Answers = readonly (object | undefined)[];

/**
 * Answers whose notices are already shown at the top of the page. Other parts of the page do not repeat these notices.
 */
export const NoticedAbove = createContext<Answers>([]);

/** Shows the notices of several answers. If several answers have a notice in common, its sentence is shown once. */
export function Notices({ of }: { of: Answers }) {
  const above = new Set(allSentences(useContext(NoticedAbove)));
  const sentences = [...new Set(allSentences(of))].filter((sentence) => !above.has(sentence));
  if (sentences.length === 0) return null;
  return (
    <div class="notices">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

const allSentences = (answers: Answers): string[] =>
  answers.flatMap((answer) => sentencesIn((answer ?? {}) as Noticed));

const sentencesIn = ({ notices = [], notice_codes: codes = [] }: Noticed): string[] =>
  notices.map((english, i) => said(codes[i], english));
