import type { ComponentChildren } from 'preact';

/** Puts elements into a message, in place of the values that are still open. */
export const withParts = (said: string, parts: Record<string, ComponentChildren>): ComponentChildren[] =>
  said.split(/\{(\w+)\}/).map((text, i) => (i % 2 === 0 ? text : parts[text]));
