/**
 * The share of some files that this run takes: with PART=1/4 every fourth file, from the second one on. CI takes another
 * share each day, so four days take all.
 */
export function takePart<Of>(files: readonly Of[], text = process.env.PART): readonly Of[] {
  const [part = 0, parts = 1] = (text ?? '0/1').split('/').map(Number);
  return files.filter((_, index) => index % parts === part);
}
