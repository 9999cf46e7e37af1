import type { TargetedKeyboardEvent } from 'preact';

type Tab = { id: string; label: string };
type Props = { of: string; label: string; tabs: readonly Tab[]; chosen: string; onChoose(id: string): void };

export const bodyOf = (of: string) => `panel-${of}-body`;
export const tabOf = (of: string, id: string) => `panel-${of}-${id}`;

/** One stop for the tabulator key; arrows go from tab to tab. */
export function Tabs({ of, label, tabs, chosen, onChoose }: Props) {
  const move = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (!tab) return;
    event.preventDefault();
    onChoose(tab.id);
    document.getElementById(tabOf(of, tab.id))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={tabOf(of, id)}
          aria-selected={id === chosen}
          aria-controls={bodyOf(of)}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
