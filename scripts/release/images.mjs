// The images that a release and the examples of deploy/ are made with. Each is named by its digest, because a tag may be another image tomorrow.
// To renew one: docker buildx imagetools inspect NAME:TAG
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const DIGEST = /@sha256:[0-9a-f]{64}$/;

/** Names of images in a text: what compose files, Dockerfiles and commands of the workflow say. */
export const imagesIn = (text) =>
  [
    ...text.matchAll(
      /(?:^\s*image: |^FROM (?!scratch)|^ARG BASE=|image=|generator=|--rm (?=\w))([\w./-]+(?::[\w.-]+)?(?:@\S+)?)/gm,
    ),
  ].map(([, name]) => name);

/** What is built here needs no digest. */
const OWN = ['daybook'];

/** Each image that is not named by its digest, with the file that names it. */
export function unpinnedImages(texts = readTexts()) {
  return Object.entries(texts).flatMap(([file, text]) =>
    imagesIn(text)
      .filter((name) => !OWN.includes(name) && !DIGEST.test(name))
      .map((name) => `${file}: ${name}`),
  );
}

function readTexts() {
  const folders = ['deploy', '.github/workflows'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /Dockerfile(?:\.release)?$|\.ya?ml$/.test(name))
      .map((name) => join(folder, name)),
  );
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}
