// The page with new recovery codes has a button that copies the codes. Without scripts, the button would do nothing. So
// the HTML hides the button, and this script shows it. If copying is not available, the codes are selected instead.
// src/forms/factors.ts makes the page.

const button = document.querySelector<HTMLButtonElement>('[data-copied]');
const codes = document.querySelector('pre');

async function copyCodes(): Promise<void> {
  if (!button || !codes) return;
  try {
    await navigator.clipboard.writeText(codes.textContent ?? '');
  } catch {
    getSelection()?.selectAllChildren(codes);
    if (!document.execCommand('copy')) return;
  }
  button.textContent = button.dataset.copied ?? '';
}

if (button) {
  button.hidden = false;
  button.addEventListener('click', () => void copyCodes());
}
