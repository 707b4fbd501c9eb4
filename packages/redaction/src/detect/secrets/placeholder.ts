/** Words that documentation puts where a secret would stand. */
const WORDS =
  /^(?:x{3,}|y{3,}|z{3,}|\*{3,}|\.{2,}|-{3,}|_{3,}|(?:your|my|the|our|some|a|an|test|dummy|fake|sample|example|demo|foo|bar|insert|enter|put|add|use|replace|change|secret|password|passwd|pass|user|username|usr|token|key|api|apikey|access|auth|bearer|basic|value|here|string|null|none|nil|undefined|true|false|redacted|removed|hidden|masked|placeholder|changeme|todo|tbd|abc|xyz|abc123|foobar|client|id|credential|credentials|admin|root|default|env|var|variable|bot|app|service|account|random|generated|secure|strong|new|old|long|goes|this|me|it|with|of|in|is|to|be|for|from|and|or)(?:$|(?=[^A-Za-z0-9])[^A-Za-z0-9]+))+$/i;
const MARKED = /example|placeholder|redacted|changeme|change_me|dummy|your[-_]|[-_]here$|\.\.\.|…|\*\*\*|####/i;
/** Letters that hide others. */
const MASK = /(?:^|[-_])(?:xxx|XXX)|x{4,}|X{4,}/;
/** A reference to a value elsewhere: shell, template, markup, format. */
const REFERENCE =
  /^(?:[$<{[*.`]|#\{|%(?![0-9A-Fa-f]{2})|\\\$|process\.env|os\.environ|(?:import\.meta\.)?env\.|secrets?\.|vault:|ssm:|op:\/\/|arn:|file:|config\.|self\.|this\.|settings\.)|[<>]|\$\{|\{\{|\$\([\w ]+\)|%\(\w+\)|^(?:%\w+%|[@#&]\w+[%@#]?)$/;

const LONGEST_MARKED = 512;

/** Whether a text stands for a secret instead of being one. */
export function isPlaceholder(value: string): boolean {
  // a key in base64 holds such letters by chance
  const mayBeMarked = value.length <= LONGEST_MARKED;
  return REFERENCE.test(value) || (mayBeMarked && (MARKED.test(value) || isMasked(value))) || WORDS.test(value);
}

/** A long token has four equal letters by chance, but not so many that they are a sixth of it. */
function isMasked(value: string): boolean {
  const found = MASK.exec(value);
  return found !== null && found[0].length * 6 >= value.length;
}

/** Shannon entropy in bits per character. */
export function entropyOf(value: string): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
