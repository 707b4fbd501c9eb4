/** Calls `work` for each, so many at a time. The results are in the order of `all`. */
export async function each<In, Out>(jobs: number, all: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const out: Out[] = [];
  const left = all.entries();
  const worker = async (): Promise<void> => {
    for (const [at, one] of left) out[at] = await work(one);
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return out;
}
