import { type Code, type Coded, coded } from '../../lang/coded.ts';

/** Writes a code with its values as the message of a schema. */
export const fault = <One extends Code>(...one: Parameters<typeof coded<One>>): string => writeCoded(coded(...one));

/**
 * Writes a code with its values as text, for places that take only text: messages of schemas and notes of the server.
 * `readCoded` reads this text.
 */
export const writeCoded = (one: Coded): string => JSON.stringify(one);

/** Reads a code with its values from text. Any other text is an English message, for example of valibot itself. */
export const readCoded = (text: string): Coded =>
  text.startsWith('{"code":') ? (JSON.parse(text) as Coded) : coded('other_text', { text });
