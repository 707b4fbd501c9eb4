import { FAMILIES } from "../national/families.ts";
import type { Family } from "../national/family.ts";
import { ShapeTree } from "./shape-tree.ts";

/** What a form of digits may be. */
export type Shape =
  | { readonly is: "ssn" | "phone" | "mac" | "vat" }
  | { readonly is: "card"; readonly length: number }
  /** telephone numbers of one country, which its digits tell */
  | { readonly is: "plan"; readonly plan: RegExp }
  | { readonly is: "family"; readonly family: Family };

const CARD = [
  "d12",
  "d13",
  "d14",
  "d15",
  "d16",
  "d17",
  "d18",
  "d19",
  ...[" ", "-"].flatMap((separator) =>
    [
      "d4 d4 d4 d4",
      "d4 d4 d4 d3",
      "d4 d4 d4 d2",
      "d4 d4 d4 d1",
      "d4 d6 d5",
      "d4 d6 d4",
      "d4 d4 d4 d4 d3",
      "d4 d4 d4 d4 d2",
      "d4 d4 d4 d4 d1",
      "d4 d4 d4",
      "d4 d4 d5",
    ].map((shape) => shape.replaceAll(" ", separator)),
  ),
  // two groups with a point between are a decimal
  "d4.d4.d4.d4",
  "d4.d6.d5",
];
const SSN = ["d3-d2-d4", "d3 d2 d4", "d3.d2.d4"];
const PHONE = [
  "d3-d3-d4",
  "d3.d3.d4",
  "d3 d3 d4",
  "d1-d3-d3-d4",
  "d1.d3.d3.d4",
  "d1 d3 d3 d4",
  "d3 d3-d4",
  "d3/d3-d4",
  "d1 d3-d3-d4",
];

/** China, Brazil, Russia, France: groups that nothing else has, and what the digits begin with. */
const PLANS: readonly (readonly [plan: RegExp, shapes: readonly string[]])[] = [
  [/^1[3-9]\d{9}$/, ["d3-d4-d4", "d3 d4 d4"]],
  [/^[1-9][1-9]9\d{8}$/, ["d2 d5-d4", "d2-d5-d4"]],
  [/^8[3489]\d{9}$/, ["d1-d3-d3-d2-d2", "d1 d3 d3-d2-d2", "d1 d3 d3 d2 d2"]],
  [/^0[1-9]\d{8}$/, ["d2.d2.d2.d2.d2"]],
];

const digitsOf = (shape: string): number => (shape.match(/\d+/g) ?? []).reduce((sum, each) => sum + Number(each), 0);

let tree: ShapeTree<Shape> | null = null;

/** Made with the first number that is looked at. */
export function numberShapes(): ShapeTree<Shape> {
  if (tree !== null) return tree;
  tree = new ShapeTree();
  for (const shape of CARD) tree.add(shape, { is: "card", length: digitsOf(shape) });
  for (const shape of SSN) tree.add(shape, { is: "ssn" });
  for (const shape of PHONE) tree.add(shape, { is: "phone" });
  for (const [plan, shapes] of PLANS) for (const shape of shapes) tree.add(shape, { is: "plan", plan });
  tree.add("x4.x4.x4", { is: "mac" });
  tree.add("d4.d4.x4", { is: "mac" });
  tree.add("d4.x4.d4", { is: "mac" });
  tree.add("x4.d4.d4", { is: "mac" });
  tree.add("d4.x4.x4", { is: "mac" });
  tree.add("x4.d4.x4", { is: "mac" });
  tree.add("x4.x4.d4", { is: "mac" });
  for (let length = 10; length <= 14; length++) tree.add(`x${length}`, { is: "vat" });
  for (const family of FAMILIES)
    if (family.prefix === undefined) for (const shape of family.shapes) tree.add(shape, { is: "family", family });
  return tree;
}
