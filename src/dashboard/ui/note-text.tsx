import type { Note } from '../../api/notes.ts';

/** Shows the text of a note. If the note has a URL, the text is a link. The server allows only URLs of web pages. */
export const NoteText = ({ text, url }: Pick<Note, 'text' | 'url'>) =>
  url === null ? (
    <span>{text}</span>
  ) : (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
