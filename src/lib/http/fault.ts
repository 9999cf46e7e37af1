import { type Code, type Coded, coded } from '../../lang/coded.ts';

/**
 * Writes a code with its values as the error message of a schema. The message becomes a sentence in the reader's
 * language later.
 */
export const fault = <One extends Code>(...one: Parameters<typeof coded<One>>): string => writeCoded(coded(...one));

/**
 * Writes a code with its values as JSON, for places that take only text, such as messages of schemas. `readCoded` reads
 * this text.
 */
export const writeCoded = (one: Coded): string => JSON.stringify(one);

/** Reads a code with its values from text. Any other text is an English message, for example of the library valibot. */
export const readCoded = (text: string): Coded =>
  text.startsWith('{"code":') ? (JSON.parse(text) as Coded) : coded('other_text', { text });
