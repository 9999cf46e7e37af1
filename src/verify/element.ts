type Child = Node | string | undefined;

/** Makes an element. A text is never read as HTML, because receipts and exports may have any text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  Object.assign(made, properties);
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}
