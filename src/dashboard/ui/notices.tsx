import type { Overview } from '../../api/answers.ts';
import { said } from '../core/server-text.ts';

/** Notices say what an answer lacks. */
type Noticed = Pick<Overview, 'notices' | 'notice_codes'>;

/** Shows the notices of several answers. If two answers have the same notice, its sentence is shown once. */
export function Notices({ of }: { of: readonly (object | undefined)[] }) {
  const sentences = [...new Set(of.flatMap((answer) => sentencesIn((answer ?? {}) as Noticed)))];
  if (sentences.length === 0) return null;
  return (
    <div class="notices">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

const sentencesIn = ({ notices = [], notice_codes: codes = [] }: Noticed): string[] =>
  notices.map((english, i) => said(codes[i], english));
