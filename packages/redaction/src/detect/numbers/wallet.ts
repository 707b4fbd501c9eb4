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

function judge(word: string): WalletKind | null {
  const { length } = word;
  if (length === 42 && (word.startsWith("0x") || word.startsWith("0X"))) return ethereum(word.slice(2));
  const one = word.lastIndexOf("1");
  if (one > 0 && BECH32_HEADS.has(word.slice(0, one).toLowerCase()) && isBech32(word, one)) return "bech32";
  const first = word[0] as string;
  if (length === 42 && isCashAddress(word)) return "cash";
  if (length === 58 && isAlgorand(word)) return "algorand";
  if (length >= 46 && length <= 48 && isSubstrate(word)) return "substrate";
  if (length <= 35) {
    if (first === "r" && isCheckedBase58(word, RIPPLE58)) return "ripple";
    if (HEADS58.includes(first) && isCheckedBase58(word, BASE58)) return "base58";
  }
  // 32 bytes without a checksum
  if (length >= 32 && length <= 44 && !/^1+$/.test(word) && decodeBase58(word, BASE58)?.length === 32) return "solana";
  if (length === 36 && /^(?:tz|KT)[1-4]/.test(word)) return isCheckedBase58(word, BASE58) ? "base58" : null;
  if (length === 51 || length === 52)
    return "5KLc9".includes(first) && isCheckedBase58(word, BASE58) ? "private" : null;
  if (length === 111 || length === 112)
    return /^[xyztuv](?:pub|prv)/.test(word) && isCheckedBase58(word, BASE58)
      ? word[1] === "p" && word.startsWith("prv", 1)
        ? "private"
        : "base58"
      : null;
  if ((length === 95 || length === 106) && (first === "4" || first === "8")) return monero(word) ? "monero" : null;
  if (length === 56 && "GS".includes(first)) return stellar(word) ? (first === "S" ? "private" : "stellar") : null;
  return null;
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
    const nibble = ((digest[i >> 1] as number) >> (i % 2 === 0 ? 4 : 0)) & 15;
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
  return (((bytes.at(-1) as number) << 8) | (bytes.at(-2) as number)) === crc;
}
