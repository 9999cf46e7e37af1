import type { ComponentChildren } from 'preact';

/**
 * Replaces each {name} in a text from `t` by an element, such as a link. `t` keeps a {name} for which it has no value.
 */
export const withParts = (said: string, parts: Record<string, ComponentChildren>): ComponentChildren[] =>
  said.split(/\{(\w+)\}/).map((text, i) => (i % 2 === 0 ? text : parts[text]));
