import { type Code, type Coded, coded } from '../../lang/coded.ts';

/**
 * Writes a code with its values as the error message of a schema. When the message is shown, the code becomes a
 * sentence in the reader's language.
 */
export const fault = <One extends Code>(...one: Parameters<typeof coded<One>>): string => writeCoded(coded(...one));

/**
 * Writes a code with its values as JSON, for places that take only text, such as messages of schemas. `readCoded` reads
 * such a text.
 */
export const writeCoded = (one: Coded): string => JSON.stringify(one);

/**
 * Reads a code with its values from a text. A text without a code is an English message, for example of the library
 * valibot.
 */
export const readCoded = (text: string): Coded =>
  text.startsWith('{"code":') ? (JSON.parse(text) as Coded) : coded('other_text', { text });
