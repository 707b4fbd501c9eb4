import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/**
 * Reads the search of the address as it is at the time of the call. A navigation changes the address at once and the screen
 * later, so that a key that is pressed in between must not go by what was rendered.
 */
export function useAddress<Search>(read: (search: Readonly<Record<string, unknown>>) => Search): () => Search {
  const router = useRouter();
  return useCallback(() => read(router.parseLocation(router.history.location).search), [router, read]);
}
