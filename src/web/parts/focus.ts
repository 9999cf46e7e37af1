const ID = 'main';

/** Moves the focus to the content of the page. Screen readers go on at its beginning, as after a load. */
export function focusMain(): void {
  const main = document.getElementById(ID);
  if (!main) return;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

/**
 * Moves the focus back to where it was before something opened, or else to the content of the page. An element that
 * has the focus by now keeps it.
 */
export function focusBack(before: Element | null): void {
  if (document.activeElement !== document.body) return;
  if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
  else focusMain();
}

export const hasMainFocus = (): boolean => document.activeElement?.id === ID;
