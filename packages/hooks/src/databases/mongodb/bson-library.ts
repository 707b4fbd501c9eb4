/** What is used of the library `bson`, of which the driver has a version of its own. */
export interface BsonLibrary {
  serialize(document: object, options?: object): Uint8Array;
  deserialize(bytes: Uint8Array, options?: object): Record<string, unknown>;
  readonly EJSON: {
    serialize(value: object, options: object): unknown;
    deserialize(value: object, options: object): unknown;
  };
  readonly Binary: new (bytes: Uint8Array, subType?: number) => object;
}
