import { textOrBytes } from "../text-or-bytes.ts";
import { PayloadReader, PayloadWriter } from "./payload.ts";

const UNSIGNED = 0x20;
/** what follows the names: its length, 12 bytes, and 13 in all */
const FIXED = 0x0c;
const FIXED_BYTES = 13;

/** Its name stands beside it. Schema, table, and its names there: as the server wrote them. */
export type MysqlColumn =
  | readonly [
      schema: string | Uint8Array,
      table: string | Uint8Array,
      originalTable: string | Uint8Array,
      originalName: string | Uint8Array,
      characterSet: number,
      length: number,
      type: number,
      flags: number,
      decimals: number,
      /** what MariaDB says more */
      extended?: string | Uint8Array,
    ]
  /** the whole definition, where it has another form */
  | Uint8Array;

export function readColumn(payload: Buffer): { readonly name: string; readonly column: MysqlColumn } {
  const reader = new PayloadReader(payload);
  const catalog = reader.counted().toString("latin1");
  const [schema, table, originalTable] = [0, 1, 2].map(() => textOrBytes(reader.counted()));
  const name = reader.counted().toString("utf8");
  const originalName = textOrBytes(reader.counted());
  const extended = reader.bytes(reader.left - FIXED_BYTES);
  reader.uint(1);
  const fixed = [reader.uint(2), reader.uint(4), reader.uint(1), reader.uint(2), reader.uint(1)] as const;
  const column = [
    schema as string,
    table as string,
    originalTable as string,
    originalName,
    ...fixed,
    ...(extended.length > 0 ? [textOrBytes(extended)] : []),
  ] as unknown as MysqlColumn;
  const isWhole = catalog === "def" && writeColumn(name, column).equals(payload);
  return { name, column: isWhole ? column : new Uint8Array(payload) };
}

export function writeColumn(name: string, column: MysqlColumn): Buffer {
  if (column instanceof Uint8Array) return Buffer.from(column);
  const [schema, table, originalTable, originalName, characterSet, length, type, flags, decimals, extended] = column;
  const writer = new PayloadWriter().counted("def").counted(schema).counted(table).counted(originalTable);
  writer.counted(name).counted(originalName);
  if (extended !== undefined) writer.raw(extended);
  writer.uint(FIXED, 1).uint(characterSet, 2).uint(length, 4).uint(type, 1).uint(flags, 2).uint(decimals, 1);
  return writer.uint(0, 2).payload();
}

/** What its values are, in rows of the binary protocol. */
export function typeOf(column: MysqlColumn): { readonly type: number; readonly isUnsigned: boolean } {
  if (!(column instanceof Uint8Array)) return { type: column[6], isUnsigned: (column[7] & UNSIGNED) !== 0 };
  const end = Buffer.from(column).subarray(-FIXED_BYTES);
  return { type: end.readUInt8(7), isUnsigned: (end.readUInt16LE(8) & UNSIGNED) !== 0 };
}
