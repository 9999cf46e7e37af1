import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../core/texts.ts';

const SAID = { copied: 'Copied', selected: 'The text is selected. Press Ctrl+C, or ⌘C on a Mac.' } as const;

type State = '' | keyof typeof SAID;

/**
 * Shows a text with a button that copies it. If copying fails, the text is selected, and a sentence says how to copy
 * it.
 */
export function Copy({ text, label }: { text: string; label: string }) {
  const [state, set] = useState<State>('');
  const isByHand = state === 'selected';
  const code = useRef<HTMLElement>(null);
  useEffect(() => {
    if (state !== 'copied') return undefined;
    const timer = setTimeout(() => set(''), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    if (code.current) set(await copyFrom(code.current, text));
  };
  return (
    <div>
      <div class="copy">
        <code ref={code}>{text}</code>
        <button type="button" onClick={copy} aria-label={t('Copy {what}', { what: label })}>
          {state === 'copied' ? t('Copied') : t('Copy')}
        </button>
      </div>
      <p class={isByHand ? 'soft small' : 'unseen'} role="status">
        {state && t(SAID[state])}
      </p>
    </div>
  );
}

/**
 * Copies a text. Without https, browsers forbid `navigator.clipboard` except on localhost. The older `execCommand` may
 * still work. If these two ways fail, the text is selected, so that the user can copy it.
 */
async function copyFrom(element: HTMLElement, text: string): Promise<State> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    getSelection()?.selectAllChildren(element);
    return document.execCommand('copy') ? 'copied' : 'selected';
  }
}
