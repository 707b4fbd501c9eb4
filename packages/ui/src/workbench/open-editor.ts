import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";

interface EditorOptions {
  readonly label: string;
  readonly recorded: string;
  /** the text at first */
  readonly text: string;
  readonly changed: (text: string) => void;
}

// colours come from the page: custom properties reach into a shadow root
const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", maxHeight: "24rem", fontSize: "0.85rem" },
  // the frame around it shows that
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--good-ground) !important" },
  ".cm-changedText": { background: "var(--good-mark) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--bad-ground) !important", color: "var(--text)" },
  ".cm-deletedChunk .cm-deletedText": { background: "var(--bad-line) !important" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { background: "var(--accent-ground) !important" },
});

/**
 * Opens an editor of a text with what was recorded of it, line by line; gives what closes it. It stands in a shadow root: there CodeMirror
 * adopts its style sheets, where in a document it would write style elements, which the content security policy refuses. No React here: it
 * would be split off the first script, and a page that is one file has no second.
 */
export function openEditor(host: HTMLElement, { label, recorded, text, changed }: EditorOptions): () => void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label }),
        unifiedMergeView({ original: recorded, mergeControls: false, gutter: false }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
        theme,
      ],
    }),
  });
  view.focus();
  return () => view.destroy();
}
