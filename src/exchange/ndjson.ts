import { isAscii, isUtf8 } from 'node:buffer';
import { FIELD_NAMES, shown, type Told, wrong } from './file-hits.ts';

const LONGEST_LINE = 64 * 1024;
const TOO_LONG = `must have at most ${LONGEST_LINE} bytes; each hit needs a line of its own`;
const NOTHING = Buffer.alloc(0);

const KNOWN = new Set<string>(FIELD_NAMES);

/** What a line in the form of README tells of a hit; undefined for a blank one. */
export function toldIn(line: string, number: number): Told | undefined {
  if (line.trim() === '') return undefined;
  let fields: Record<string, unknown> | undefined;
  try {
    fields = JSON.parse(line);
  } catch {
    // Stays undefined, which is no object either.
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw wrong(number, `must be a JSON object on a line of its own, not ${shown(line.trim())}`);
  }
  if (typeof fields.engaged === 'number') fields.engaged = String(fields.engaged);
  for (const name in fields) {
    if (!KNOWN.has(name)) throw wrong(number, shown(name), `is not known; known are ${FIELD_NAMES.join(', ')}`);
    const value = fields[name];
    if (typeof value !== 'string') throw wrong(number, name, `must be text, not ${shown(value)}`);
  }
  return fields;
}

/**
 * Cuts the bytes of a file into lines and hands each over with its number. The last one needs no line feed; a byte order
 * mark at the start is skipped, and a carriage return at an end is white space to JSON.
 */
export function lineCutter(take: (line: string, number: number) => void) {
  let lines = 0;
  let rest: Buffer = NOTHING;

  function decoded(bytes: Buffer): string {
    if (!isUtf8(bytes)) throw wrong(lines, 'must be text in UTF-8');
    const line = bytes.toString();
    return lines === 1 ? line.replace(/^\ufeff/, '') : line;
  }

  /** Takes lines that are whole, the last line feed included. */
  function takeLines(bytes: Buffer): void {
    const isPlain = isAscii(bytes);
    // One character a byte, so that places in the text are places in the bytes.
    const text = bytes.toString('latin1');
    for (let start = 0; start < text.length; ) {
      const stop = text.indexOf('\n', start);
      lines++;
      if (stop - start > LONGEST_LINE) throw wrong(lines, TOO_LONG);
      take(isPlain ? text.slice(start, stop) : decoded(bytes.subarray(start, stop)), lines);
      start = stop + 1;
    }
  }

  return {
    /** The memory of the chunk may be used again afterwards. */
    take(chunk: Buffer): void {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const whole = bytes.lastIndexOf('\n') + 1;
      if (whole > 0) takeLines(bytes.subarray(0, whole));
      rest = Buffer.from(bytes.subarray(whole));
      if (rest.length > LONGEST_LINE) throw wrong(lines + 1, TOO_LONG);
    },
    end(): void {
      if (rest.length > 0) takeLines(Buffer.concat([rest, Buffer.from('\n')]));
      rest = NOTHING;
    },
    lines: (): number => lines,
  };
}
