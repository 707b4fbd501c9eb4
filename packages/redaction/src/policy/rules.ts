import { FAMILIES } from "../detect/national/families.ts";
import { ruleOfFamily } from "../detect/national/family-rules.ts";
import type { RuleType } from "../scan/hit.ts";
import { PROVIDER_KEYS } from "./provider-keys.ts";

/** A rule, as RULES.md describes it. `revision` goes up with every change of what it finds. */
export interface Rule {
  /** as hits and RULES.md name it */
  readonly id: string;
  readonly type: RuleType;
  readonly finds: string;
  readonly revision: number;
}

const rule = (id: string, type: RuleType, finds: string, revision = 1): Rule => ({ id, type, finds, revision });

/** Rules that are not generated from a table of number families or provider keys. */
export const OWN_RULES: readonly Rule[] = [
  rule("pem", "PEM", "private keys in PEM, PGP and SSH armour", 4),
  rule("jwt", "JWT", "JSON Web Tokens, signed or encrypted"),
  rule("wallet.base58", "WALLET", "addresses of Bitcoin and its kin, base58 with a checksum", 2),
  rule("wallet.bech32", "WALLET", "bech32 and bech32m addresses", 2),
  rule("wallet.ethereum", "WALLET", "Ethereum addresses, EIP-55", 3),
  rule("wallet.ripple", "WALLET", "XRP Ledger addresses"),
  rule("wallet.monero", "WALLET", "Monero addresses"),
  rule("wallet.stellar", "WALLET", "Stellar accounts"),
  rule("wallet.solana", "WALLET", "Solana accounts that are announced"),
  rule("wallet.cash", "WALLET", "Bitcoin Cash addresses"),
  rule("wallet.algorand", "WALLET", "Algorand accounts"),
  rule("wallet.substrate", "WALLET", "accounts of Polkadot, Kusama and their kin"),
  rule("key.wallet-private", "KEY", "private keys and seeds of wallets, with a checksum"),
  rule("key.mailgun-api", "KEY", "Mailgun, three parts of hexadecimal digits"),
  rule("key.facebook-app", "KEY", "Facebook, id and secret of an app"),
  rule("card", "CARD", "payment card numbers: issuer, length and Luhn", 5),
  rule("iban", "IBAN", "international bank account numbers", 3),
  rule("bank-account", "IBAN", "national account, routing and sort numbers that are announced", 4),
  rule("ssn", "SSN", "social security numbers of the United States", 4),
  rule("passport", "PASSPORT", "passport numbers that are announced", 4),
  rule("licence", "DRIVING_LICENCE", "driving licence numbers that are announced", 4),
  rule("email", "EMAIL", "e-mail addresses", 4),
  rule("phone.international", "PHONE", "telephone numbers with a country code", 3),
  rule("phone.national", "PHONE", "telephone numbers without one, in groups or announced", 6),
  rule("ip.v4", "IP", "IPv4 addresses", 5),
  rule("ip.v6", "IP", "IPv6 addresses", 5),
  rule("mac", "MAC", "hardware addresses", 2),
  rule("birth-date", "BIRTH_DATE", "dates of birth that are announced", 6),
  rule("address", "ADDRESS", "streets with a house number, and members named as addresses", 3),
  rule("id.named", "NATIONAL_ID", "numbers under a name that says what they are, although their check digits fail"),
  rule("person", "PERSON", "names of persons, by the name of the member", 3),
  rule("known", "SECRET", "known values: secret environment variables and sensitive(value)"),
  rule("auth.name", "AUTH", "whole values under secret names: headers, members, parameters", 8),
  rule("auth.assignment", "AUTH", "assignments to secret names in text", 10),
  rule("auth.scheme", "AUTH", "credentials behind the word authorization, or behind Bearer and Basic alone", 3),
  rule("auth.url", "AUTH", "user and password of a URL", 3),
  rule("auth.hash", "AUTH", "hashes of passwords: bcrypt, crypt, argon2"),
  rule("auth.code", "AUTH", "PINs and codes for one use that are announced", 2),
  rule("auth.curl", "AUTH", "user and password given to curl"),
];

export const RULES: readonly Rule[] = [
  ...OWN_RULES,
  ...FAMILIES.map(({ id, name }) => rule(ruleOfFamily(id), "NATIONAL_ID", name)),
  ...PROVIDER_KEYS.map(([id, provider]) => rule(`key.${id}`, "KEY", provider)),
];
