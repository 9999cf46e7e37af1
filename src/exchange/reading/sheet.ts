import { type Coded, coded } from '../../lang/coded.ts';
import { REASONS } from '../../lang/codes/imports.ts';

const CODES_OF_TEXTS = new Map<string, keyof typeof REASONS>(
  Object.entries(REASONS).map(([code, text]) => [text, code as keyof typeof REASONS]),
);

/**
 * Turns an English text into its code: "another host" becomes `skip_other_host`. The sheet, which is the summary of an
 * import, has codes in place of texts. A text that contains a name from the file has no code of its own. That text
 * becomes the value of the code `other_text`.
 */
export function codePart(text: string): Coded {
  const code = CODES_OF_TEXTS.get(text);
  return code === undefined ? coded('other_text', { text }) : { code, values: {} };
}

export const codeParts = (texts: readonly string[]): Coded[] => texts.map(codePart);
