// Splits chunks into lines, and makes errors that name a line.
//
// Line numbers begin with 1. A line has at most 64 KB by default. The last line needs no line feed. A carriage return
// stays at the end of its line, where JSON ignores it. The readers of NDJSON, access logs, Google Analytics and
// GoatCounter's zip call `lineSplitter`.

import { isAscii, isUtf8 } from 'node:buffer';
import { Refusal } from '../../lib/errors.ts';

const LONGEST_LINE = 64 * 1024;
const EMPTY = Buffer.alloc(0);

export const lineRefusal = (line: number, ...parts: string[]): Refusal =>
  new Refusal(`line ${line}: ${parts.join(': ')}`);

/**
 * Prepares a value for an error message. The result is quoted and short. Invisible characters, which could confuse a
 * terminal, are escaped (test/exchange/reading/lines.test.ts).
 */
export function excerpt(value: unknown): string {
  const characters = [...writeValue(value).slice(0, 200)];
  const start = characters.length > 62 ? [...characters.slice(0, 61), '…'] : characters;
  return start
    .join('')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * Makes a reader that splits chunks into lines. With `mayBeBroken`, bytes that are not UTF-8 are replaced. Otherwise,
 * they are refused. In error messages, `what` names the content of a line, such as "hit".
 */
export function lineSplitter(
  onLine: (line: string, number: number) => void,
  { longest = LONGEST_LINE, mayBeBroken = false, what = 'hit' } = {},
) {
  const tooLong = `must have at most ${longest} bytes. Write each ${what} on its own line`;
  let lines = 0;
  let rest: Buffer = EMPTY;

  function decoded(bytes: Buffer): string {
    if (!mayBeBroken && !isUtf8(bytes)) throw lineRefusal(lines, 'must be text in UTF-8');
    const line = bytes.toString();
    return lines === 1 ? line.replace(/^\ufeff/, '') : line;
  }

  /** Calls `onLine` for each line. The bytes must end in a line feed. */
  function split(bytes: Buffer): void {
    const isPlain = isAscii(bytes);
    // In Latin-1, each byte is one character. An index in this text is therefore also an index in the bytes, even if
    // the bytes are UTF-8.
    const text = bytes.toString('latin1');
    for (let start = 0; start < text.length; ) {
      const stop = text.indexOf('\n', start);
      lines++;
      if (stop - start > longest) throw lineRefusal(lines, tooLong);
      onLine(isPlain ? text.slice(start, stop) : decoded(bytes.subarray(start, stop)), lines);
      start = stop + 1;
    }
  }

  return {
    /**
     * Reads the lines of a chunk. The bytes after the last line feed wait for the next chunk. They are copied, because
     * the caller may reuse the memory of the chunk.
     */
    feed(chunk: Buffer): void {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf('\n') + 1;
      if (end > 0) split(bytes.subarray(0, end));
      rest = Buffer.from(bytes.subarray(end));
      if (rest.length > longest) throw lineRefusal(lines + 1, tooLong);
    },
    end(): void {
      if (rest.length > 0) split(Buffer.concat([rest, Buffer.from('\n')]));
      rest = EMPTY;
    },
  };
}

/**
 * Writes a value as JSON, for an error message. If a list is nested too deeply, JSON.stringify throws. Then the result
 * is only a short text.
 */
function writeValue(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'a nested list';
  }
}
