import type { ComponentChildren } from 'preact';

/** Replaces each {name} that `t` has left in a message by an element, such as a link. */
export const withParts = (said: string, parts: Record<string, ComponentChildren>): ComponentChildren[] =>
  said.split(/\{(\w+)\}/).map((text, i) => (i % 2 === 0 ? text : parts[text]));
