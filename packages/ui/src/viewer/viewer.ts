// oxlint-disable no-unassigned-import -- what the modules below find when they begin
import "./node/buffer.ts";
import "./without-eval.ts";
// oxlint-enable no-unassigned-import
import { type FileRun, fileRuns } from "@reenact/collector/file-runs";
import { safe } from "@reenact/view/text";
import { failureOf } from "../api/api-failure.ts";
import type { Offline } from "../api/offline.ts";

/** A larger file would take more memory than a page has. */
const MOST = 512 * 1024 * 1024;

const { promise, resolve } = Promise.withResolvers<Offline>();
// the pages wait for it
Object.assign(globalThis, { reenactFile: promise });

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const field = element("input", { type: "file", id: "file", accept: ".reenact,.otlp,.pb,.json" });
const problem = element("p", { role: "alert", class: "problem" });
const found = element("div", { "aria-live": "polite" });
const zone = element(
  "main",
  { class: "viewer" },
  element("p", { class: "brand" }, "Reenact"),
  element("h1", {}, "Open a recorded run"),
  element(
    "p",
    {},
    "Drop a .reenact file here, or an OTLP file (protobuf or JSON). It is read in this page alone: the page has no network.",
  ),
  element("p", {}, element("label", { for: "file", class: "button primary" }, "Choose a file"), field),
  problem,
  found,
);
document.querySelector("#app")!.append(zone);

field.addEventListener("change", () => {
  const [file] = field.files ?? [];
  if (file !== undefined) void open(file);
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  zone.classList.add("over");
});
addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) zone.classList.remove("over");
});
addEventListener("drop", (event) => {
  // without this the browser goes to the file
  event.preventDefault();
  zone.classList.remove("over");
  const [file] = event.dataTransfer?.files ?? [];
  if (file !== undefined) void open(file);
});

let isShown = false;

async function open(file: File): Promise<void> {
  // once a run is shown, another file is another page
  if (isShown) return;
  problem.textContent = "";
  found.replaceChildren(element("p", { class: "muted" }, `Reading ${safe(file.name)} …`));
  // the words first: reading holds the page up
  await new Promise((done) => setTimeout(done, 50));
  try {
    if (file.size > MOST)
      throw new Error(`it has ${Math.round(file.size / 1e6)} MB, and this page reads ${Math.round(MOST / 1e6)} MB`);
    choose(fileRuns(new Uint8Array(await file.arrayBuffer())), file.name);
  } catch (error) {
    found.replaceChildren();
    const why = error instanceof Error ? error.message : String(error);
    problem.textContent = safe(
      `${file.name} cannot be shown: ${why}. Next: check that it is a .reenact or OTLP file; reenact import ${file.name} reads larger ones.`,
    );
  }
}

/** Several runs are listed, to choose one. */
function choose(runs: readonly FileRun[], name: string): void {
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) return show(only, name);
  const list = runs.map((run) => {
    const text = `${safe(run.name) || run.run.slice(0, 12)} · ${run.steps} steps · ${new Date(run.started).toISOString()}`;
    const button = element("button", { type: "button", class: "more" }, text);
    button.addEventListener("click", () => show(run, name));
    return element("li", {}, button);
  });
  found.replaceChildren(element("h2", {}, `${runs.length} runs`), element("ol", {}, ...list));
}

function show({ run, steps, damage, answer }: FileRun, name: string): void {
  isShown = true;
  zone.remove();
  const asked = async (address: string, headers?: Readonly<Record<string, string>>): Promise<Response> => {
    const response = await answer(address, headers);
    if (!response.ok) throw await failureOf(response);
    return response;
  };
  resolve({
    run,
    source: damage === null ? name : `${name}, damaged`,
    steps,
    left: 0,
    json: async (address) => (await asked(address)).text(),
    async part(address, most) {
      const response = await asked(address, { range: `bytes=0-${most - 1}` });
      return new Uint8Array(await response.arrayBuffer());
    },
  });
}
