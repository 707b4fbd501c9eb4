// The shapes in which a program holds a value under a name: data for the test of the walk and for an agent that is recorded.

class Account {
  constructor(members) {
    Object.assign(this, members);
  }

  describe() {
    return "an account";
  }
}
const bare = (members) => Object.assign(Object.create(null), members);
const hidden = (target, name, value) => Object.defineProperty(target, name, { value, enumerable: false });
const units = (text) => [...text].map((c) => c.charCodeAt(0));
const cycle = (members) => {
  const value = { ...members };
  value.self = value;
  value.list = [value, new Map([["again", value]])];
  return value;
};
const holes = (item) => {
  const list = [];
  list[50] = item;
  return list;
};
const shared = (name, value) => {
  const list = [value];
  return { [name]: list, again: { [name]: list, deep: { [name]: new Set([list]) } } };
};
const bytes = (text) => new TextEncoder().encode(text);
/** A buffer of its own, with room around the bytes that are looked at. */
const within = (text) => {
  const all = new Uint8Array(text.length + 8);
  all.set(bytes(text), 4);
  return all.subarray(4, 4 + text.length);
};

const camel = (name) => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
const form = (name, value) => {
  const data = new FormData();
  data.set("id", "7");
  data.set(name, value);
  return data;
};
const accessorClass = (name) =>
  class Reader {
    id = 7;
    constructor(value) {
      hidden(this, "_", value);
      Object.defineProperty(this, name, { get: () => value, enumerable: true });
    }
  };
const hidingClass = (name) =>
  class Hiding {
    #value;
    id = 7;
    constructor(value) {
      this.#value = value;
      this[name] = value;
    }
    read() {
      return this.#value;
    }
  };
const jsonClass = (name) =>
  class Shown {
    #value;
    id = 7;
    constructor(value) {
      this.#value = value;
    }
    toJSON() {
      return { id: this.id, [name]: this.#value };
    }
  };
const errorClass = (name) =>
  class Refused extends Error {
    constructor(value) {
      super("refused");
      this[name] = value;
    }
  };

/** Shapes for any name that says something of its value. */
export const shapes = {
  member: (n, v) => ({ [n]: v }),
  "member, deep": (n, v) => ({ a: { b: [{ c: { [n]: v } }] } }),
  array: (n, v) => ({ [n]: [v] }),
  "array of arrays": (n, v) => ({ [n]: [[v], [[v]]] }),
  set: (n, v) => ({ [n]: new Set([v]) }),
  "set of arrays": (n, v) => ({ [n]: new Set([[v]]) }),
  map: (n, v) => new Map([[n, v]]),
  "map of arrays": (n, v) => new Map([[n, [v]]]),
  "map of sets": (n, v) => new Map([[n, new Set([v])]]),
  "map of maps": (n, v) => new Map([["a", new Map([[n, v]])]]),
  "map with other keys": (n, v) =>
    new Map([
      [1, "one"],
      [n, v],
      [{ id: 2 }, "two"],
    ]),
  "map with keys that are objects": (n, v) => new Map([[{ [n]: v }, 1]]),
  "null prototype": (n, v) => bare({ id: 7, [n]: v }),
  "null prototype, deep": (n, v) => bare({ of: bare({ [n]: [v] }) }),
  "rows of objects": (n, v) => [bare({ id: 1, [n]: v }), bare({ id: 2, [n]: v })],
  "class instance": (n, v) => new Account({ id: 7, [n]: v }),
  "class instances in a map": (n, v) => new Map([["first", new Account({ [n]: [v] })]]),
  "name and value": (n, v) => ({ name: n, value: v }),
  "key and value": (n, v) => [{ key: n, value: v }],
  "name and list": (n, v) => ({ name: n, value: [v] }),
  "name and set": (n, v) => ({ name: n, value: new Set([v]) }),
  "key and typed value": (n, v) => [{ key: n, value: { stringValue: v } }],
  "pair of maps": (n, v) =>
    new Map([
      ["name", n],
      ["value", v],
    ]),
  pairs: (n, v) => [
    ["id", "7"],
    [n, v],
  ],
  "pairs with lists": (n, v) => [[n, [v]]],
  "pairs under headers": (n, v) => ({ headers: [[n, v]] }),
  "flat list under headers": (n, v) => ({ rawHeaders: ["accept", "text/html", n, v] }),
  "flat list of bytes under headers": (n, v) => ({ rawHeaders: ["te", "1", n, v].map((each) => Buffer.from(each)) }),
  "pairs of bytes": (n, v) =>
    [
      ["id", "7"],
      [n, v],
    ].map((pair) => pair.map((each) => Buffer.from(each))),
  "columns and rows": (n, v) => ({
    columns: ["id", n, "city"],
    rows: [
      [1, v, "Graz"],
      [2, v, "Linz"],
    ],
  }),
  "rows before columns": (n, v) => ({ rows: [[v, 1]], columns: [n, "id"] }),
  "fields and rows": (n, v) => ({ fields: [{ name: "id" }, { name: n }], rows: [[1, v]] }),
  buffer: (n, v) => ({ [n]: Buffer.from(v) }),
  bytes: (n, v) => ({ [n]: bytes(v) }),
  "part of a buffer": (n, v) => ({ [n]: within(v) }),
  "clamped bytes": (n, v) => ({ [n]: new Uint8ClampedArray(bytes(v)) }),
  "signed bytes": (n, v) => ({ [n]: new Int8Array(bytes(v)) }),
  "array buffer": (n, v) => ({ [n]: bytes(v).buffer }),
  "data view": (n, v) => ({ [n]: new DataView(bytes(v).buffer) }),
  "buffers in a set": (n, v) => new Map([[n, new Set([Buffer.from(v)])]]),
  "numbers of two bytes": (n, v) => ({ [n]: Uint16Array.from(units(v)) }),
  "numbers of eight bytes": (n, v) => ({ [n]: Float64Array.from(units(v)) }),
  "boxed text": (n, v) => ({ [n]: Object(v) }),
  "boxed text in an array": (n, v) => ({ [n]: [Object(v)] }),
  "error's property": (n, v) => Object.assign(new Error("refused"), { [n]: v }),
  "error's hidden property": (n, v) => hidden(new RangeError("refused"), n, [v]),
  "error's cause": (n, v) => new Error("refused", { cause: { [n]: v } }),
  "cause of a cause": (n, v) => new Error("a", { cause: new TypeError("b", { cause: new Map([[n, v]]) }) }),
  "errors of an error": (n, v) => new AggregateError([Object.assign(new Error("one"), { [n]: [v] })], "all"),
  "hidden property": (n, v) => hidden({ id: 7 }, n, v),
  accessor: (n, v) => Object.defineProperty({}, n, { get: () => v, enumerable: true }),
  "symbol that is known": (n, v) => ({ [n]: Symbol.for(v) }),
  "symbol of its own": (n, v) => ({ [n]: Symbol(v) }),
  "name is a symbol": (n, v) => ({ id: 7, [Symbol(n)]: v }),
  expression: (n, v) => ({ [n]: new RegExp(v) }),
  parameters: (n, v) => new URLSearchParams({ id: "7", [n]: v }),
  "parameters of an address": (n, v) => new URL(`https://h.example/a?${n}=${encodeURIComponent(v)}`),
  cycle: (n, v) => cycle({ [n]: [v] }),
  "shared array": shared,
  "array with holes": (n, v) => ({ [n]: holes(v) }),
  "array with names": (n, v) => Object.assign(["found"], { groups: bare({ [n]: v }) }),
  arguments: (n, v) =>
    (function () {
      return arguments;
    })({ [n]: v }),
  "text of JSON": (n, v) => ({ body: JSON.stringify({ [n]: [v] }) }),
  "text of JSON, pretty": (n, v) => ({ body: JSON.stringify({ a: [{ [n]: v }] }, null, 2) }),
  "bytes of JSON": (n, v) => ({ body: Buffer.from(JSON.stringify({ [n]: v })) }),
  "rows of one table": (n, v) => ({ header: [n, "id"], values: [[v, 1]] }),
  proxy: (n, v) => ({ of: new Proxy({ [n]: v }, {}), [n]: v }),
  "getter of a class": (n, v) => new (accessorClass(n))(v),
  "getter of an object": (n, v) => ({
    id: 1,
    get [n]() {
      return v;
    },
  }),
  frozen: (n, v) => Object.freeze({ [n]: Object.freeze([v]) }),
  sealed: (n, v) => Object.seal({ id: 7, [n]: v }),
  "set of objects": (n, v) => new Set([{ id: 1, [n]: v }, { id: 2 }]),
  "set of maps": (n, v) => new Set([new Map([[n, v]])]),
  "numbers of four bytes": (n, v) => ({ [n]: Uint32Array.from(units(v)) }),
  "signed numbers of two bytes": (n, v) => ({ [n]: Int16Array.from(units(v)) }),
  "long numbers": (n, v) => ({ [n]: BigUint64Array.from(units(v), BigInt) }),
  "short fractions": (n, v) => ({ [n]: Float32Array.from(units(v)) }),
  "part of a view": (n, v) => ({ [n]: new DataView(within(v).buffer, 4, v.length) }),
  blob: (n, v) => ({ [n]: new Blob([v]) }),
  file: (n, v) => ({ [n]: new File([v], v) }),
  "form data": (n, v) => form(n, v),
  headers: (n, v) => new Headers({ [`x-${n.replaceAll("_", "-")}`]: v }),
  request: (n, v) => new Request(`https://h.example/?${n}=${encodeURIComponent(v)}`, { headers: { [`x-${n}`]: v } }),
  "address with a fragment": (n, v) => new URL(`https://h.example/a#${n}=${encodeURIComponent(v)}`),
  "parameters in a list": (n, v) => [
    new URLSearchParams([
      ["id", "7"],
      [n, v],
      [n, v],
    ]),
  ],
  "sparse arrays in arrays": (n, v) => ({ [n]: [holes(v), Object.assign([], { 1: v })] }),
  "list in a circle": (n, v) => {
    const list = [{ [n]: v }];
    list.push(list);
    return list;
  },
  "private member": (n, v) => new (hidingClass(n))(v),
  "private member behind toJSON": (n, v) => new (jsonClass(n))(v),
  "class of its own error": (n, v) => new (errorClass(n))(v),
  "error with a code": (n, v) => Object.assign(new TypeError("refused"), { code: "E", details: [{ [n]: v }] }),
  "errors with causes in an error": (n, v) =>
    new AggregateError([new Error("one", { cause: Object.assign(new Error("two"), { [n]: v }) })], "all", {
      cause: { [n]: v },
    }),
  "tuples in tuples": (n, v) => [
    [
      "list",
      [
        ["id", 7],
        [n, v],
      ],
    ],
  ],
  "entries of an object": (n, v) => Object.entries({ id: "7", [n]: v, more: "x" }),
  "buffer with an offset": (n, v) => ({ [n]: Buffer.from(`....${v}`).subarray(4) }),
  "buffer as JSON": (n, v) => ({ [n]: Buffer.from(v).toJSON() }),
  "JSON in hexadecimal digits": (n, v) => ({ body: Buffer.from(JSON.stringify({ [n]: v })).toString("hex") }),
  "JSON in base64": (n, v) => ({ body: Buffer.from(JSON.stringify({ [n]: v })).toString("base64") }),
  "text of JSON in text of JSON": (n, v) => ({ body: JSON.stringify({ body: JSON.stringify({ [n]: v }) }) }),
  "lines of JSON": (n, v) => ({ log: `${JSON.stringify({ id: 1 })}\n${JSON.stringify({ [n]: v })}\n` }),
  "events of JSON": (n, v) => ({ log: `event: a\ndata: ${JSON.stringify({ [n]: v })}\n\n` }),
  "name is spelt otherwise": (n, v) => ({ [n.toUpperCase()]: v, [camel(n)]: v, [n.replaceAll("_", "-")]: v }),
  date: (n, v) => ({ at: new Date(0), [n]: v, big: 2n ** 70n }),
  mix: (n, v) => [new Map([["a", new Set([bare({ b: new Account({ [n]: [Object(v), Buffer.from(v)] }) })])]])],
};

/** Shapes for names of secrets alone. */
export const secretShapes = {
  "map of a map of a map": (n, v) => new Map([["a", new Map([["b", new Map([[n, new Map([["c", [v]]])]])]])]]),
  "hexadecimal digits": (n, v) => ({ [n]: Buffer.from(v).toString("hex") }),
  base64: (n, v) => ({ [n]: Buffer.from(v).toString("base64") }),
  "object under the name": (n, v) => ({ [n]: { first: v, more: { second: [v] } } }),
  "map under the name": (n, v) => ({ [n]: new Map([["first", v]]) }),
  "error under the name": (n, v) => ({ [n]: new Error(v) }),
  "address under the name": (n, v) => ({ [n]: new URL(`https://h.example/${v}`) }),
  "bytes that are no text": (n, v) => ({ [n]: Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(v)]) }),
  "headers, flat, without a name": (_, v) => ["accept", "text/html", "authorization", `Bearer ${v}`],
  "headers, flat, in bytes": (_, v) => ["accept", "text/html", "x-api-key", v].map((each) => Buffer.from(each)),
  "headers in pairs": (_, v) => [
    ["accept", "text/html"],
    ["x-api-key", v],
  ],
};
