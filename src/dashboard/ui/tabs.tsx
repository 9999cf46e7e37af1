import type { TargetedKeyboardEvent } from 'preact';

type Props<Id> = {
  of: string;
  label: string;
  tabs: readonly { id: Id; label: string }[];
  selected: Id;
  onSelect(id: Id): void;
};

/** Makes the ids by which HTML connects a tab with the content that the tab shows. */
export const tabPanelId = (of: string) => `panel-${of}-body`;
export const tabId = (of: string, id: string) => `panel-${of}-${id}`;

/** Shows a row of tabs. The Tab key stops only at the selected tab. The arrow keys, Home and End select other tabs. */
export function Tabs<Id extends string>({ of, label, tabs, selected, onSelect }: Props<Id>) {
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const index = tabs.findIndex(({ id }) => id === selected);
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }[event.key];
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    document.getElementById(tabId(of, tab.id))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={tabId(of, id)}
          aria-selected={id === selected}
          aria-controls={tabPanelId(of)}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
