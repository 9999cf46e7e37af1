import { FIELD_NAMES, type FileHit } from '../reading/file-fields.ts';
import { excerpt, lineRefusal } from '../reading/lines.ts';

const KNOWN = new Set<string>(FIELD_NAMES);

/** Reads a line. Returns undefined for a blank line. The fields are documented in docs/import-and-export.md. */
export function parseHit(line: string, number: number): FileHit | undefined {
  if (line.trim() === '') return undefined;
  const value = parsed(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw lineRefusal(number, `must be a JSON object on a line of its own, not ${excerpt(line.trim())}`);
  }
  const fields = value as Record<string, unknown>;
  for (const name of ['engaged', 'scroll']) if (typeof fields[name] === 'number') fields[name] = String(fields[name]);
  // Lines that daybook exported have the fields `excluded` and `visit`. They are ignored, because the importing site
  // determines visits and exclusions itself.
  if (typeof fields.excluded === 'boolean') delete fields.excluded;
  if (typeof fields.visit === 'number') delete fields.visit;
  for (const name of ['props', 'revenue']) {
    if (fields[name] !== undefined) fields[name] = writeObject(fields[name], name, number);
  }
  for (const name in fields) {
    if (!KNOWN.has(name)) {
      throw lineRefusal(number, excerpt(name), `is not known. Known fields: ${FIELD_NAMES.join(', ')}`);
    }
    const field = fields[name];
    if (typeof field !== 'string') throw lineRefusal(number, name, `must be text, not ${excerpt(field)}`);
  }
  return fields as FileHit;
}

function writeObject(value: unknown, name: string, number: number): string {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    try {
      return JSON.stringify(value);
    } catch {
      // JSON.stringify throws if a list is nested too deeply. The line is then refused.
    }
  }
  throw lineRefusal(number, name, `must be an object, not ${excerpt(value)}`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
