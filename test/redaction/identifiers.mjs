// Ids, times and measures as agents' traffic is full of them: no rule may touch one. `[name of the member, maker]`.
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const uuid = (dice) =>
  `${dice.hex(8)}-${dice.hex(4)}-4${dice.hex(3)}-${dice.pick("89ab")}${dice.hex(3)}-${dice.hex(12)}`;
const time = (dice) => new Date(dice.between(1_500_000_000, 1_900_000_000) * 1000 + dice.between(0, 999)).toISOString();
const minted = (prefix, length) => (dice) => prefix + dice.from(BASE62, length);

export const IDENTIFIERS = {
  uuid: ["id", uuid],
  trace_id: ["trace_id", (dice) => dice.hex(32)],
  span_id: ["span_id", (dice) => dice.hex(16)],
  epoch_seconds: ["created", (dice) => String(dice.between(1_000_000_000, 1_999_999_999))],
  epoch_ms: ["timestamp", (dice) => String(dice.between(1_000_000_000_000, 1_999_999_999_999))],
  epoch_us: ["created_at", (dice) => `${dice.between(1_000_000_000, 1_999_999_999)}${dice.digits(6)}`],
  epoch_ns: ["startTimeUnixNano_ts", (dice) => `${dice.between(1_000_000_000, 1_999_999_999)}${dice.digits(9)}`],
  snowflake: ["id", (dice) => dice.pick("123456789") + dice.digits(dice.between(16, 18))],
  iso_time: ["created_at", time],
  iso_date: ["date", (dice) => time(dice).slice(0, 10)],
  http_date: ["date", (dice) => new Date(dice.between(1_500_000_000, 1_900_000_000) * 1000).toUTCString()],
  sku: ["sku", (dice) => `${dice.letters(3)}-${dice.digits(5)}-${dice.letters(2)}`],
  sku_digits: ["sku", (dice) => dice.digits(dice.between(6, 14))],
  float: ["score", (dice) => String(dice.next() * 10 ** dice.between(-3, 6))],
  semver: [
    "version",
    (dice) =>
      `${dice.between(0, 40)}.${dice.between(0, 99)}.${dice.between(0, 2000)}${dice.pick(["", "-beta.1", "+build.5", "-rc.2"])}`,
  ],
  four_part_version: ["version", (dice) => `${dice.between(1, 130)}.0.${dice.between(0, 255)}.${dice.between(0, 255)}`],
  git_hash: ["commit", (dice) => dice.hex(40)],
  short_hash: ["commit", (dice) => dice.hex(7)],
  sha256: ["sha256", (dice) => dice.hex(64)],
  md5: ["md5", (dice) => dice.hex(32)],
  ulid: ["id", (dice) => `01${dice.from(CROCKFORD, 24)}`],
  nanoid: ["id", (dice) => dice.from(`${BASE62}_-`, 21)],
  ksuid: ["id", (dice) => dice.from(BASE62, 27)],
  object_id: ["_id", (dice) => dice.hex(24)],
  chatcmpl: ["id", minted("chatcmpl-", 29)],
  call: ["tool_call_id", minted("call_", 24)],
  toolu: ["id", minted("toolu_01", 22)],
  msg: ["id", minted("msg_01", 22)],
  req: ["request_id", minted("req_01", 22)],
  resp: ["id", (dice) => `resp_${dice.hex(48)}`],
  run: ["run_id", minted("run_", 24)],
  thread: ["thread_id", minted("thread_", 24)],
  file: ["file_id", minted("file-", 24)],
  asst: ["assistant_id", minted("asst_", 24)],
  fingerprint: ["system_fingerprint", (dice) => `fp_${dice.hex(10)}`],
  etag: ["etag", (dice) => `W/"${dice.hex(8)}-${dice.hex(12)}"`],
  model: [
    "model",
    (dice) =>
      dice.pick([
        "gpt-4o-2024-08-06",
        "claude-sonnet-4-20250514",
        "gemini-2.5-pro-001",
        "llama-3.3-70b-instruct",
        "o3-mini-2025-01-31",
      ]),
  ],
  traceparent: ["traceparent", (dice) => `00-${dice.hex(32)}-${dice.hex(16)}-01`],
  cf_ray: ["cf_ray_id", (dice) => `${dice.hex(16)}-FRA`],
  order: ["order_id", (dice) => `#W${dice.digits(7)}`],
  isbn: ["isbn", (dice) => `978-${dice.digits(1)}-${dice.digits(4)}-${dice.digits(4)}-${dice.digits(1)}`],
  duration: [
    "duration",
    (dice) => `${dice.between(0, 59)}:${String(dice.between(0, 59)).padStart(2, "0")}.${dice.digits(3)}`,
  ],
  price: ["price", (dice) => `$${dice.between(1, 9999)}.${dice.digits(2)}`],
};
