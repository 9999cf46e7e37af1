import { useEffect, useRef, useState } from 'preact/hooks';

/** A text with a button that copies it. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Over plain http browsers have no clipboard but on localhost, so the text is selected to be copied by hand.
      if (code.current) getSelection()?.selectAllChildren(code.current);
    }
  };
  return (
    <div class="copy">
      <code ref={code}>{text}</code>
      <button type="button" onClick={copy} aria-label={`Copy ${label}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span class="unseen" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </div>
  );
}
