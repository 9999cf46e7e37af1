import type { ComponentChildren } from 'preact';

/** A message with elements in place of the values that it was not given. */
export const withParts = (said: string, parts: Record<string, ComponentChildren>): ComponentChildren[] =>
  said.split(/\{(\w+)\}/).map((text, i) => (i % 2 === 0 ? text : parts[text]));
