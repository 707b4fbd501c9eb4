import { isViewTag } from "./typed-value.ts";

const json = JSON.stringify;
/** Nodes of values that are equal wherever they stand. */
const PRIMITIVE_TAGS: ReadonlySet<unknown> = new Set(["BigInt", "Symbol"]);

/**
 * A typed text with its nodes numbered as `encodeValue` numbers them: equal primitives share one node, and no node is
 * left that nothing refers to. So two texts of equal values are equal. Throws for what is no typed text.
 */
export function renumberValue(text: string): string {
  const nodes: unknown = JSON.parse(text);
  return Array.isArray(nodes) && nodes.length > 0 ? new Renumbering(nodes).text() : text;
}

class Renumbering {
  readonly #nodes: readonly unknown[];
  readonly #numbers = new Map<number, number>();
  readonly #primitives = new Map<string, number>();
  readonly #order: number[] = [];

  constructor(nodes: readonly unknown[]) {
    this.#nodes = nodes;
  }

  text(): string {
    this.#ref(0);
    const out: string[] = [];
    for (let at = 0; at < this.#order.length; at++) out.push(this.#node(this.#nodes[this.#order[at] as number]));
    return `[${out.join(",")}]`;
  }

  #ref(index: unknown): number {
    if (typeof index !== "number" || index >= this.#nodes.length) throw new RangeError("no reference");
    if (index < 0) return index;
    const known = this.#numbers.get(index);
    if (known !== undefined) return known;
    const node = this.#nodes[index];
    const isPrimitive = Array.isArray(node) ? PRIMITIVE_TAGS.has(node[0]) : typeof node !== "object" || node === null;
    const equal = isPrimitive ? this.#primitives.get(json(node)) : undefined;
    const number = equal ?? this.#order.length;
    this.#numbers.set(index, number);
    if (equal !== undefined) return number;
    if (isPrimitive) this.#primitives.set(json(node), number);
    this.#order.push(index);
    return number;
  }

  #node(node: unknown): string {
    if (typeof node !== "object" || node === null) return json(node);
    if (!Array.isArray(node)) return this.#members(node);
    const [tag, ...rest] = node as unknown[];
    if (typeof tag !== "string") return `[${node.map((index) => this.#ref(index)).join(",")}]`;
    const refs = (): string => [json(tag), ...rest.map((index) => this.#ref(index))].join(",");
    const parts = (): string => [json(tag), ...rest.map((part) => this.#part(part))].join(",");
    if (
      tag === "Map" ||
      tag === "Headers" ||
      tag === "Set" ||
      tag === "Boxed" ||
      (isViewTag(tag) && typeof rest[0] === "number")
    )
      return `[${refs()}]`;
    if (tag === "object") {
      // its hidden properties come first
      const hidden = this.#part(rest[1]);
      return `["object",${this.#part(rest[0])},${hidden}]`;
    }
    return `[${parts()}]`;
  }

  #part(part: unknown): string {
    return typeof part === "object" && part !== null ? this.#members(part) : json(part);
  }

  #members(node: object): string {
    const members = Object.entries(node).map(([key, index]) => `${json(key)}:${this.#ref(index)}`);
    return `{${members.join(",")}}`;
  }
}
