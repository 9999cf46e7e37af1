import { isAscii, isUtf8 } from 'node:buffer';
import { Refusal } from '../lib/errors.ts';

const LONGEST_LINE = 64 * 1024;
const TOO_LONG = `must have at most ${LONGEST_LINE} bytes; each hit needs a line of its own`;
const NOTHING = Buffer.alloc(0);

export const lineRefusal = (line: number, ...parts: string[]): Refusal =>
  new Refusal(`line ${line}: ${parts.join(': ')}`);

/** A value as it may be shown at a terminal: cut, in quotes, and without invisible characters. */
export function excerpt(value: unknown): string {
  const characters = [...JSON.stringify(value).slice(0, 200)];
  const start = characters.length > 62 ? [...characters.slice(0, 61), '…'] : characters;
  return start
    .join('')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * Splits the bytes of a file into lines and hands each over with its number. The last one needs no line feed; a byte order
 * mark at the start is skipped, and a carriage return at an end is white space to JSON.
 */
export function lineSplitter(onLine: (line: string, number: number) => void) {
  let lines = 0;
  let rest: Buffer = NOTHING;

  function decoded(bytes: Buffer): string {
    if (!isUtf8(bytes)) throw lineRefusal(lines, 'must be text in UTF-8');
    const line = bytes.toString();
    return lines === 1 ? line.replace(/^\ufeff/, '') : line;
  }

  /** Splits bytes that end in a line feed. */
  function split(bytes: Buffer): void {
    const isPlain = isAscii(bytes);
    // One character a byte, so that places in the text are places in the bytes.
    const text = bytes.toString('latin1');
    for (let start = 0; start < text.length; ) {
      const stop = text.indexOf('\n', start);
      lines++;
      if (stop - start > LONGEST_LINE) throw lineRefusal(lines, TOO_LONG);
      onLine(isPlain ? text.slice(start, stop) : decoded(bytes.subarray(start, stop)), lines);
      start = stop + 1;
    }
  }

  return {
    /** The memory of the chunk may be used again afterwards. */
    feed(chunk: Buffer): void {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf('\n') + 1;
      if (end > 0) split(bytes.subarray(0, end));
      rest = Buffer.from(bytes.subarray(end));
      if (rest.length > LONGEST_LINE) throw lineRefusal(lines + 1, TOO_LONG);
    },
    end(): void {
      if (rest.length > 0) split(Buffer.concat([rest, Buffer.from('\n')]));
      rest = NOTHING;
    },
  };
}
