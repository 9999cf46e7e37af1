import { useEffect, useRef, useState } from 'preact/hooks';

/** A text to be taken elsewhere, with the button for it. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [isDone, setDone] = useState(false);
  const shown = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => setDone(false), 2_000);
    return () => clearTimeout(timer);
  }, [isDone]);
  const take = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
    } catch {
      // Over plain http, other than on this machine, browsers have no clipboard; the text is marked to be copied by hand.
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
    }
  };
  return (
    <div class="copy">
      <code ref={shown}>{text}</code>
      <button type="button" onClick={take} aria-label={`Copy ${label}`}>
        {isDone ? 'Copied' : 'Copy'}
      </button>
      <span class="unseen" role="status">
        {isDone ? 'Copied' : ''}
      </span>
    </div>
  );
}
