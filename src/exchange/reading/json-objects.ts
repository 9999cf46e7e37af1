// Reads JSON objects one at a time. The objects may be in one array, in several arrays, or one on each line.
//
// Only one object is in memory at a time, so a file may have any size. An object has at most 4,194,304 characters by
// default. A chunk may end anywhere. Each character is read once. Only blanks, commas and square brackets are allowed
// between objects.
//
// Example: the chunks `[{"a":1},{"a":` and `2}]` give two objects. The formats of Matomo, Google and GoatCounter call
// `jsonObjects` (../products).

import { excerpt, lineRefusal } from './lines.ts';

/**
 * The longest object, in characters. A visit with 500 actions needs less than a tenth of this. Without a limit, a brace
 * that is never closed would put the rest of the file into memory.
 */
const LONGEST_OBJECT = 4 * 1024 * 1024;
const NOTABLE = /["{}\n\\]/g;
const BETWEEN = /[^\s,[\]]/;

export type JsonObject = Readonly<Record<string, unknown>>;

export function jsonObjects(onObject: (object: JsonObject, line: number) => void, longest = LONGEST_OBJECT) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /**
   * These variables describe the object that is not complete yet. `pieces` has its text so far. `firstLine` is the line
   * on which it begins. `depth` counts its open braces.
   */
  let pieces: string[] = [];
  let length = 0;
  let firstLine = 1;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let line = 1;

  function decoded(bytes?: Buffer): string {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw lineRefusal(line, 'must be UTF-8 from here on. Save the file as UTF-8');
    }
  }

  function refuseBetween(text: string): void {
    if (BETWEEN.test(text)) throw lineRefusal(firstLine, `must be JSON objects, not ${excerpt(text.trim())}`);
  }

  function keep(piece: string): void {
    length += piece.length;
    if (length > longest) throw lineRefusal(firstLine, `must have at most ${longest} characters an object`);
    pieces.push(piece);
  }

  function handOver(piece: string): void {
    keep(piece);
    onObject(parsed(pieces.join(''), firstLine), firstLine);
    [pieces, length, firstLine] = [[], 0, line];
  }

  function read(text: string): void {
    let from = 0;
    NOTABLE.lastIndex = isEscaped ? 1 : 0;
    isEscaped = false;
    for (let found = NOTABLE.exec(text); found; found = NOTABLE.exec(text)) {
      const [sign] = found;
      if (sign === '\n') line++;
      else if (depth === 0) {
        if (sign !== '{') continue;
        refuseBetween(text.slice(from, found.index));
        [from, firstLine, depth] = [found.index, line, 1];
      } else if (sign === '"') isText = !isText;
      else if (isText) {
        // A backslash escapes the next character, which may be in the next chunk of the file.
        if (sign === '\\') isEscaped = ++NOTABLE.lastIndex > text.length;
        if (isEscaped) break;
      } else if (sign === '{') depth++;
      else if (sign === '}' && --depth === 0) {
        handOver(text.slice(from, found.index + 1));
        from = found.index + 1;
      }
    }
    if (depth === 0) {
      refuseBetween(text.slice(from));
      firstLine = line;
    } else keep(text.slice(from));
  }

  return {
    feed: (chunk: Buffer): void => read(decoded(chunk)),
    end(): void {
      read(decoded());
      if (depth > 0)
        throw lineRefusal(firstLine, `must be JSON objects, not ${excerpt(pieces.join('').slice(0, 100))}`);
    },
  };
}

function parsed(text: string, line: number): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    throw lineRefusal(line, `must be JSON, not ${excerpt(text)}`);
  }
}

/** Reads a text or a number as a text. Returns an empty text for anything else. */
export const readText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
/** Reads a number, or a text with a number. Returns NaN for anything else. */
export const readNumber = (value: unknown): number => Number(readText(value) || Number.NaN);
