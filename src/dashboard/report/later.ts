// The components that a report does not show when it opens, such as panels further down, suggestions and dialogs.
// `lazy` loads this module when one of them is needed, so the browser fetches one file for all of them. A component
// that is visible when the report opens must not be here, because it would appear late.

export { DayDetails } from './chart/day-details.tsx';
export { PastChanges } from './chart/past-changes.tsx';
export { Suggested } from './chart/suggested.tsx';
export { WhyButton, WhyDialog } from './chart/why.tsx';
export { Details } from './details/details.tsx';
export { FilterForm } from './header/filter-form.tsx';
export { LiveNow } from './live/live-now.tsx';
export { SearchPanel } from './panels/search.tsx';
export { LowerPanels } from './panels/secondary-panels.tsx';
