// A text that a regular expression describes, each character drawn evenly from its class: how a random key looks.
// Knows what published key patterns use: literals, classes, groups with alternatives, `{n}`, `{n,m}`, `?`, `+`, `*`.
const WORD = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `random()` gives numbers from 0 up to 1. */
export function samplePattern(source, random) {
  let at = 0;
  const between = (min, max) => min + Math.floor(random() * (max - min + 1));

  function alternatives() {
    const options = [sequence()];
    while (source[at] === "|") {
      at++;
      options.push(sequence());
    }
    return () => options[between(0, options.length - 1)]();
  }

  function sequence() {
    const parts = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated(atom()));
    return () => parts.map((part) => part()).join("");
  }

  function atom() {
    const c = source[at++];
    if (c === "(") {
      if (source.startsWith("?:", at)) at += 2;
      const inner = alternatives();
      at++;
      return inner;
    }
    if (c === "[") return fromSet(set());
    if (c === "\\") return fromSet(escaped(source[at++]));
    if (c === ".") return () => ".";
    return () => c;
  }

  function repeated(part) {
    const c = source[at];
    let [min, max] = [1, 1];
    if (c === "{") {
      const end = source.indexOf("}", at);
      const [low, high = low] = source.slice(at + 1, end).split(",");
      [min, max] = [Number(low), high === "" ? Number(low) + 20 : Number(high)];
      at = end + 1;
    } else if ("?+*".includes(c ?? " ")) {
      [min, max] = { "?": [0, 1], "+": [12, 16], "*": [18, 24] }[c];
      at++;
    }
    return () => Array.from({ length: between(min, max) }, part).join("");
  }

  function set() {
    let members = "";
    while (source[at] !== "]") {
      let c = source[at++];
      if (c === "\\") {
        const given = escaped(source[at++]);
        if (given.length > 1) {
          members += given;
          continue;
        }
        c = given;
      }
      if (source[at] === "-" && source[at + 1] !== "]") {
        at++;
        const last = source.charCodeAt(at++);
        for (let unit = c.charCodeAt(0); unit <= last; unit++) members += String.fromCharCode(unit);
      } else members += c;
    }
    at++;
    return members;
  }

  const escaped = (c) => ({ d: "0123456789", w: `${WORD}_`, s: " ", S: WORD })[c] ?? c;
  const fromSet = (members) => () => members[between(0, members.length - 1)];
  return alternatives()();
}

const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SMALL = CAPITALS.toLowerCase();
const DIGITS = "0123456789";
const KINDS = {
  w: CAPITALS + SMALL + DIGITS,
  l: SMALL + DIGITS,
  u: `${CAPITALS + SMALL + DIGITS}_-`,
  h: "0123456789abcdef",
  U: CAPITALS + DIGITS,
  d: DIGITS,
  b: `${CAPITALS + SMALL + DIGITS}+/`,
};

/** A text of a format like `glsa_{w32}_{h8}`; no part begins or ends with a sign. */
export function fromTemplate(dice, template) {
  return template.replace(/\{([a-zA-Z])(\d+)\}/g, (_, kind, count) => {
    const part = dice.from(KINDS[kind], Number(count));
    return part.replace(/^[_+/-]|[_+/-]$/g, "7");
  });
}
