const ID = 'main';

/** Moves the focus to the content of the page, so that screen readers go on at its beginning, as after a load. */
export function focusMain(): void {
  const main = document.getElementById(ID);
  if (!main) return;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

export const hasMainFocus = (): boolean => document.activeElement?.id === ID;
