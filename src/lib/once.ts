/** Makes a function that makes a thing at its first call, and gives the kept thing after that. */
export function once<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
