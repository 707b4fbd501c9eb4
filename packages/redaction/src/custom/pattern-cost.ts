import { type CharacterSet, has } from "./character-set.ts";

/** One character of an expression, written out: what may follow it. No way leads back, so that every path ends. */
export interface Node {
  /** what it takes; null: the beginning, or the end */
  readonly takes: CharacterSet | null;
  readonly next: Node[];
  /** where it stands in the expression */
  readonly at: number;
}

/**
 * Most steps that a matcher which tries one way after the other needs from one offset, over all texts; the count stops
 * a little above `limit`. `at`: the offset where most ways begin.
 */
export function mostSteps(start: Node, limit: number): { steps: number; at: number } {
  const steps = new Map<Node, number>();
  let worst = start;
  const order = inOrder(start);
  for (const node of order.toReversed()) {
    let most = 0;
    for (const point of points(node.next)) {
      let sum = 0;
      for (const next of node.next) {
        if (next.takes === null) sum += 1;
        else if (has(next.takes, point)) sum += steps.get(next) ?? 0;
      }
      most = Math.max(most, sum);
    }
    const own = 1 + Math.max(most, node.next.length === 0 ? 0 : 1);
    steps.set(node, Math.min(own, limit + 1));
    if (own > limit && (steps.get(worst) ?? 0) <= limit) worst = node;
  }
  return { steps: steps.get(start) ?? 0, at: worst.at };
}

/** Every node before all that follow it. */
function inOrder(start: Node): Node[] {
  const out: Node[] = [];
  const state = new Map<Node, "open" | "done">();
  const stack: Node[] = [start];
  while (stack.length > 0) {
    const node = stack.at(-1) as Node;
    if (!state.has(node)) {
      state.set(node, "open");
      for (const next of node.next) if (!state.has(next)) stack.push(next);
    } else {
      stack.pop();
      if (state.get(node) === "done") continue;
      state.set(node, "done");
      out.push(node);
    }
  }
  return out.toReversed();
}

/** One code point of each stretch in which the same nodes take every character. */
function points(nodes: readonly Node[]): Set<number> {
  const out = new Set<number>([0]);
  for (const { takes } of nodes) {
    for (const [from, to] of takes ?? []) {
      out.add(from);
      out.add(to + 1);
    }
  }
  return out;
}
