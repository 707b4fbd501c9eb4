import { decodeBase32 } from "../secrets/base32.ts";
import { BASE58, decodeBase58, isCheckedBase58, RIPPLE58 } from "./base58.ts";
import { isBech32 } from "./bech32.ts";
import { keccak256 } from "./keccak.ts";
import { isAlgorand, isCashAddress, isSubstrate } from "./other-wallets.ts";

/** Human-readable parts of bech32 addresses. */
const BECH32_HEADS = new Set([
  "bc",
  "tb",
  "bcrt",
  "ltc",
  "tltc",
  "addr",
  "stake",
  "cosmos",
  "osmo",
  "juno",
  "terra",
  "inj",
  "celestia",
  "akash",
  "sei",
  "dydx",
  "kava",
  "secret",
  "thor",
  "zil",
  "band",
  "vtc",
  "dgb",
  "mona",
  "btg",
  "axelar",
  "stars",
]);
/** First characters of addresses with a checksum. */
const HEADS58 = "13LMDTXAn2mNt9";
const REMEMBERED = 512;
const remembered = new Map<string, WalletKind | null>();

export type WalletKind =
  | "base58"
  | "bech32"
  | "ethereum"
  | "ethereum-plain"
  | "ripple"
  | "monero"
  | "stellar"
  | "solana"
  | "cash"
  | "algorand"
  | "substrate"
  | "private";

/** What kind of wallet address or key a word is, by its checksum; null: none. */
export function walletKind(word: string): WalletKind | null {
  const { length } = word;
  if (length < 25 || length > 120) return null;
  let kind = remembered.get(word);
  if (kind === undefined) {
    kind = judge(word);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(word, kind);
  }
  return kind;
}

/** A form of addresses. The first one that fits decides: its `judge` may also say that the word is none at all. */
interface WalletForm {
  readonly fits: (word: string) => boolean;
  readonly judge: (word: string) => WalletKind | null;
}

const always = (kind: WalletKind) => (): WalletKind => kind;
const hasLength =
  (...lengths: number[]) =>
  (word: string): boolean =>
    lengths.includes(word.length);
const checked = (word: string, kind: WalletKind): WalletKind | null => (isCheckedBase58(word, BASE58) ? kind : null);

const FORMS: readonly WalletForm[] = [
  { fits: (word) => word.length === 42 && /^0[xX]/.test(word), judge: (word) => ethereum(word.slice(2)) },
  { fits: hasBech32Head, judge: always("bech32") },
  { fits: (word) => word.length === 42 && isCashAddress(word), judge: always("cash") },
  { fits: (word) => word.length === 58 && isAlgorand(word), judge: always("algorand") },
  { fits: (word) => hasLength(46, 47, 48)(word) && isSubstrate(word), judge: always("substrate") },
  { fits: (word) => word.length <= 35 && word[0] === "r" && isCheckedBase58(word, RIPPLE58), judge: always("ripple") },
  {
    fits: (word) => word.length <= 35 && HEADS58.includes(word.charAt(0)) && isCheckedBase58(word, BASE58),
    judge: always("base58"),
  },
  { fits: isAccountOf32Bytes, judge: always("solana") },
  { fits: (word) => word.length === 36 && /^(?:tz|KT)[1-4]/.test(word), judge: (word) => checked(word, "base58") },
  { fits: hasLength(51, 52), judge: (word) => ("5KLc9".includes(word.charAt(0)) ? checked(word, "private") : null) },
  { fits: hasLength(111, 112), judge: extendedKey },
  { fits: (word) => hasLength(95, 106)(word) && /^[48]/.test(word), judge: (word) => (monero(word) ? "monero" : null) },
  {
    fits: (word) => word.length === 56 && /^[GS]/.test(word),
    judge: (word) => (stellar(word) ? (word.startsWith("S") ? "private" : "stellar") : null),
  },
];

function judge(word: string): WalletKind | null {
  return FORMS.find(({ fits }) => fits(word))?.judge(word) ?? null;
}

function hasBech32Head(word: string): boolean {
  const one = word.lastIndexOf("1");
  return one > 0 && BECH32_HEADS.has(word.slice(0, one).toLowerCase()) && isBech32(word, one);
}

/** 32 bytes without a checksum. */
function isAccountOf32Bytes(word: string): boolean {
  return word.length >= 32 && word.length <= 44 && !/^1+$/.test(word) && decodeBase58(word, BASE58)?.length === 32;
}

function extendedKey(word: string): WalletKind | null {
  if (!/^[xyztuv](?:pub|prv)/.test(word)) return null;
  return checked(word, word.startsWith("prv", 1) ? "private" : "base58");
}

/** EIP-55: the case of a letter is a bit of the hash of the address. One in a single case seldom carries the checksum. */
function ethereum(hex: string): WalletKind | null {
  if (!/^[0-9a-fA-F]{40}$/.test(hex) || /^0+[0-9a-f]?$/i.test(hex)) return null;
  const lower = hex.toLowerCase();
  const isPlain = hex === lower || hex === hex.toUpperCase();
  const digest = keccak256(Buffer.from(lower, "latin1"));
  for (let i = 0; i < 40; i++) {
    const unit = lower.charCodeAt(i);
    if (unit < 97) continue;
    const nibble = ((digest[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15;
    if (nibble >= 8 !== hex.charCodeAt(i) < 97) return isPlain ? "ethereum-plain" : null;
  }
  return "ethereum";
}

const MONERO_BLOCKS = [0, 2, 3, 5, 6, 7, 9, 10, 11];

/** Blocks of eleven characters for eight bytes; the last four bytes are a Keccak checksum. */
function monero(word: string): boolean {
  const bytes: number[] = [];
  for (let at = 0; at < word.length; at += 11) {
    const block = word.slice(at, at + 11);
    const size = block.length === 11 ? 8 : MONERO_BLOCKS.indexOf(block.length);
    let number = 0n;
    for (const c of block) {
      const digit = BASE58.indexOf(c);
      if (digit === -1) return false;
      number = number * 58n + BigInt(digit);
    }
    if (size < 0 || number >> BigInt(size * 8) !== 0n) return false;
    for (let i = size - 1; i >= 0; i--) bytes.push(Number((number >> BigInt(i * 8)) & 0xffn));
  }
  const digest = keccak256(Uint8Array.from(bytes.slice(0, -4)));
  return bytes.slice(-4).every((byte, i) => byte === digest[i]);
}

/** A version byte, 32 bytes and a CRC-16, in base32. */
function stellar(word: string): boolean {
  const bytes = decodeBase32(word);
  if (bytes === null) return false;
  let crc = 0;
  for (const byte of bytes.slice(0, -2)) {
    crc ^= byte << 8;
    for (let i = 0; i < 8; i++) crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff;
  }
  const [low = 0, high = 0] = bytes.slice(-2);
  return ((high << 8) | low) === crc;
}
