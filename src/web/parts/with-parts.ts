import type { ComponentChildren } from 'preact';

/** Replaces the {names} that are still in a message by elements. */
export const withParts = (said: string, parts: Record<string, ComponentChildren>): ComponentChildren[] =>
  said.split(/\{(\w+)\}/).map((text, i) => (i % 2 === 0 ? text : parts[text]));
