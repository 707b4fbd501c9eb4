import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { call } from "../api/call.ts";
import { FailurePage } from "../failure/failure-page.tsx";
import { useKeys } from "../layout/use-keys.ts";
import { useTitle } from "../layout/use-title.ts";
import { Destinations } from "./destinations.tsx";
import { KeyList } from "./key-list.tsx";
import { PayloadReads } from "./payload-reads.tsx";
import { RedactionBox } from "./redaction-box.tsx";
import { Storage } from "./storage.tsx";

const route = getRouteApi("/settings");

/** What the collector keeps for how long, where it forwards to, what it redacts, and who may and did read. */
export function SettingsPage() {
  useTitle("Settings");
  const navigate = route.useNavigate();
  const who = useQuery({ queryKey: ["who"], queryFn: ({ signal }) => call("whoAmI", { signal }) });
  const isAdmin = who.data?.scopes.includes("admin") ?? false;
  const settings = useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => call("getSettings", { signal }),
    enabled: isAdmin,
  });
  useKeys({ Escape: () => void navigate({ to: "/", search: {} }) });
  const error = who.error ?? settings.error;
  if (error) return <FailurePage error={error} retry={() => void settings.refetch()} />;
  return (
    <div className="settings">
      <header className="page-head">
        <h1>Settings</h1>
        <p className="muted">
          Settings stand in the collector’s configuration file. This page shows what they do, and what other values
          would do; it changes nothing.
        </p>
      </header>
      {who.data !== undefined && !isAdmin && <NotAdmin name={who.data.key} />}
      {settings.data && (
        <>
          <Storage settings={settings.data.retention} />
          <Destinations settings={settings.data.destinations} />
        </>
      )}
      {who.data !== undefined && <RedactionBox />}
      {settings.data && (
        <>
          <KeyList settings={settings.data.keys} />
          <PayloadReads />
        </>
      )}
      {isAdmin && settings.isPending && <p className="muted loading">Reading the settings …</p>}
    </div>
  );
}

function NotAdmin({ name }: { name: string }) {
  return (
    <p className="settings-note" role="note">
      The key <strong>{name}</strong> has no scope “admin”, so storage, forwards, keys and the log of reads are not
      shown. Sign out, and sign in with one that has it.
    </p>
  );
}
