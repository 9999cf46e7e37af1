const ID = 'main';

/**
 * Moves the focus to the content of the page. Screen readers then read the content from its beginning, as after loading
 * a page.
 */
export function focusMain(): void {
  const main = document.getElementById(ID);
  if (!main) return;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

/**
 * Moves the focus back after something has closed. `before` is the element that had the focus earlier. If this element
 * is gone, the content of the page gets the focus. If another element has the focus now, nothing happens.
 */
export function focusBack(before: Element | null): void {
  if (document.activeElement !== document.body) return;
  if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
  else focusMain();
}

export const hasMainFocus = (): boolean => document.activeElement?.id === ID;
