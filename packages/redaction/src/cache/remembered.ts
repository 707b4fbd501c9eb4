const MOST = 2048;

/** Caches the answers of a pure function of a name: at most 2,048, and all are dropped when the cache is full. */
export function remembered<T extends object | number | boolean>(compute: (name: string) => T): (name: string) => T {
  const answers = new Map<string, T>();
  return (name) => {
    let answer = answers.get(name);
    if (answer === undefined) {
      answer = compute(name);
      if (answers.size >= MOST) answers.clear();
      answers.set(name, answer);
    }
    return answer;
  };
}
