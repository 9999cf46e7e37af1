import { excerpt, lineRefusal } from './lines.ts';

/** In characters: a visit of 500 actions has less than a tenth of it. */
const LONGEST_OBJECT = 4 * 1024 * 1024;
const NOTABLE = /["{}[\]\n\\]/g;
const BETWEEN = /[^\s,[\]]/;

export type JsonObject = Readonly<Record<string, unknown>>;

function parsed(text: string, line: number): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    throw lineRefusal(line, `must be JSON, not ${excerpt(text)}`);
  }
}

/**
 * Hands over the objects of a file one by one: of an array, of several arrays one after another (as pages of an answer are
 * put into one file), or one on each line. So a file of any size needs the memory of one object. Chunks may be cut anywhere.
 */
export function jsonObjects(onObject: (object: JsonObject, line: number) => void) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 1;

  function decoded(bytes?: Buffer): string {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw lineRefusal(line, 'must be UTF-8 from here on; save the file as UTF-8');
    }
  }

  /** The text begins outside of all objects; what belongs to an object that is not whole yet is left for the next chunk. */
  function read(text: string): void {
    let depth = 0;
    let from = 0;
    let firstLine = line;
    let isText = false;
    NOTABLE.lastIndex = 0;
    for (let found = NOTABLE.exec(text); found; found = NOTABLE.exec(text)) {
      const [mark] = found;
      if (mark === '\n') line++;
      else if (isText && mark === '\\') NOTABLE.lastIndex++;
      else if (mark === '"') isText = !isText;
      if (isText || (mark !== '{' && mark !== '}')) continue;
      if (mark === '{' && depth++ === 0) {
        refuseBetween(text.slice(from, found.index));
        [from, firstLine] = [found.index, line];
      }
      if (mark === '}' && --depth === 0) {
        onObject(parsed(text.slice(from, found.index + 1), firstLine), firstLine);
        from = found.index + 1;
        firstLine = line;
      }
    }
    rest = text.slice(from);
    line = firstLine;
    if (rest.length > LONGEST_OBJECT)
      throw lineRefusal(line, `must have at most ${LONGEST_OBJECT} characters an object`);
  }

  function refuseBetween(text: string): void {
    if (BETWEEN.test(text)) throw lineRefusal(line, `must be JSON objects, not ${excerpt(text.trim())}`);
  }

  return {
    feed: (chunk: Buffer): void => read(rest + decoded(chunk)),
    end(): void {
      read(rest + decoded());
      refuseBetween(rest);
    },
  };
}
