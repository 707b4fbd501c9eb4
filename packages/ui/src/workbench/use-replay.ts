import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answer, call } from "../api/call.ts";

export type ReplayState = Answer<"getReplay">["replay"];

/** A replay that runs is read so often, milliseconds. */
const LOOK = 250;

/** The replay of an id, read while it runs; null: none is asked for, or it is not read yet. */
export function useReplay(id: string | undefined) {
  const client = useQueryClient();
  const key = ["replay", id];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { replay } = await call("getReplay", { path: { replay: id! }, signal });
      if (replay.state === "ended") void client.invalidateQueries({ queryKey: ["workbench"] });
      return replay;
    },
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === "ended" || state.error !== null ? false : LOOK),
  });
  const cancel = useMutation({
    mutationFn: async () => (await call("cancelReplay", { path: { replay: id! }, body: {} })).replay,
    onSuccess: (replay) => client.setQueryData(key, replay),
  });
  return { replay: data ?? null, error: error ?? cancel.error, cancel: () => cancel.mutate() };
}
