/** Whether a place is in the program itself, not in a package. */
export const isOwnPlace = (place: string): boolean => !/[/\\]node_modules[/\\]/.test(place);

/** The places that lines of a stack name, the innermost first. Node's own are left out. */
export function placesOf(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !/\(?node:/.test(line))
    .flatMap((line) => /\(?((?:file:\/\/)?\/?[^()\s]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? [])
    .map((place) => (place.startsWith("file:") ? decodeURI(place.slice("file://".length)) : place));
}

/** The nearest line of the program itself, else of a package; null if there is none. */
export function ownPlace(lines: readonly string[]): string | null {
  const places = placesOf(lines);
  return places.find(isOwnPlace) ?? places[0] ?? null;
}
