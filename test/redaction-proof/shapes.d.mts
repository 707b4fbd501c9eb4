/** Makes a value that holds another one under a name. */
export type Shape = (name: string, value: string) => unknown;
export declare const shapes: Readonly<Record<string, Shape>>;
export declare const secretShapes: Readonly<Record<string, Shape>>;
