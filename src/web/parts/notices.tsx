/** The answers of reports have them, where something is left out. */
type Noticed = { notices?: string[] | undefined };

/** What the server says that its answers leave out, each sentence once. */
export function Notices({ of }: { of: readonly (object | undefined)[] }) {
  const sentences = [...new Set(of.flatMap((answer) => (answer as Noticed | undefined)?.notices ?? []))];
  if (sentences.length === 0) return null;
  return (
    <div class="notices">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}
