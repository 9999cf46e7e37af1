// Searches the documentation in the browser. The index is a file of the website, which is read when somebody first
// types. A part is found if it has every word, also as the start of a longer one. Words in titles and headings count
// more.
type Entry = [page: string, title: string, heading: string, id: string, text: string];

const MOST = 8;
const AROUND = 60;

const root = document.currentScript?.dataset.root ?? '.';
const box = document.querySelector('search');
const field = box?.querySelector('input');
const list = box?.querySelector<HTMLElement>('[role=listbox]');
const status = box?.querySelector('p');
let index: Promise<Entry[]> | undefined;

async function readIndex(): Promise<Entry[]> {
  const answer = await fetch(`${root}/search.json`);
  return (await answer.json()) as Entry[];
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];

/** How well a part fits: 0 if a word is missing. */
function rate([, title, heading, , text]: Entry, words: readonly string[]): number {
  const places: [string, number][] = [
    [heading.toLowerCase(), 8],
    [title.toLowerCase(), 4],
    [text.toLowerCase(), 1],
  ];
  let sum = 0;
  for (const word of words) {
    const found = places.reduce((most, [place, weight]) => {
      const at = place.indexOf(word);
      if (at < 0) return most;
      const isStart = at === 0 || !/[\p{L}\p{N}]/u.test(place[at - 1] ?? '');
      return Math.max(most, isStart ? weight * 2 : weight);
    }, 0);
    if (found === 0) return 0;
    sum += found;
  }
  return sum;
}

/** The text around the first word, with all words marked. */
function excerpt(text: string, words: readonly string[]): (string | HTMLElement)[] {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
  const from = first === text.length ? 0 : Math.max(0, first - AROUND / 2);
  const part = text.slice(from, from + 2 * AROUND);
  const pattern = new RegExp(`(${words.map((word) => word.replaceAll(/[-]/g, '\\$&')).join('|')})`, 'gi');
  const pieces = part.split(pattern).map((piece) => {
    if (!words.includes(piece.toLowerCase())) return piece;
    const mark = document.createElement('mark');
    mark.textContent = piece;
    return mark;
  });
  return [from > 0 ? '…' : '', ...pieces, from + 2 * AROUND < text.length ? '…' : ''];
}

function showEntry(entry: Entry, words: readonly string[], at: number): HTMLElement {
  const [page, title, heading, id, text] = entry;
  const link = document.createElement('a');
  link.role = 'option';
  link.id = `found-${at}`;
  link.href = `${root}/${page}${id ? `#${id}` : ''}`;
  link.tabIndex = -1;
  const name = document.createElement('strong');
  name.textContent = heading === title ? title : `${title}: ${heading}`;
  const part = document.createElement('span');
  part.append(...excerpt(text, words));
  link.append(name, part);
  return link;
}

function close(): void {
  if (!field || !list) return;
  list.hidden = true;
  field.setAttribute('aria-expanded', 'false');
  field.removeAttribute('aria-activedescendant');
}

async function find(): Promise<void> {
  if (!field || !list || !status) return;
  const typed = field.value;
  const words = wordsIn(typed);
  if (words.length === 0) return close();
  index ??= readIndex();
  const entries = await index;
  if (field.value !== typed) return;
  const found = entries
    .map((entry) => ({ entry, score: rate(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  list.replaceChildren(...found.slice(0, MOST).map(({ entry }, at) => showEntry(entry, words, at)));
  status.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`;
  list.hidden = found.length === 0;
  field.setAttribute('aria-expanded', `${found.length > 0}`);
  box?.classList.toggle('nothing', found.length === 0);
}

/** Moves the choice up or down in the list. */
function choose(step: number): void {
  if (!field || !list) return;
  const items = [...list.children];
  const at = items.findIndex((item) => item.ariaSelected === 'true');
  const next = items[(at + step + items.length + (at < 0 && step < 0 ? 1 : 0)) % items.length];
  for (const item of items) item.ariaSelected = `${item === next}`;
  if (next) field.setAttribute('aria-activedescendant', next.id);
  next?.scrollIntoView({ block: 'nearest' });
}

if (box && field && list) {
  box.hidden = false;
  field.addEventListener('input', () => void find());
  field.addEventListener('focus', () => void find());
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(1);
    else if (event.key === 'ArrowUp') choose(-1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter')
      (list.querySelector<HTMLElement>('[aria-selected="true"]') ?? list.querySelector('a'))?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', close);
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !box.contains(event.target)) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
}
