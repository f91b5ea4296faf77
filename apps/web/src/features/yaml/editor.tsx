"use client";
import { autocompletion, type CompletionContext, type CompletionSource, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { admin } from "../../strings/en/admin.ts";
import { completionsAt, type Hints } from "./completions.ts";
import { highlightStyle, theme } from "./editor-theme.ts";
import { diagnosticsOf, type LineIssue } from "./line-issues.ts";

export type EditorProps = {
  value: string;
  label: string;
  readOnly?: boolean;
  issues: readonly LineIssue[];
  hints: Hints | undefined;
  /** the text is a list of patches */
  layer?: boolean;
  /** the cursor goes to this line each time the object changes */
  goTo?: { readonly line: number } | null;
  onChange: (value: string) => void;
};

/** The list of completions is a window that follows the choice, so that it needs no scrolling of its own. */
const shownOptions = 10;
const fromOutside = Annotation.define<boolean>();

/** A YAML text with line numbers, completion and what is wrong with it. Tab indents; Escape, then Tab leaves it. */
export default function YamlEditor(props: EditorProps): ReactNode {
  const { value, label, readOnly = false, issues, goTo } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const hintId = useId();

  useEffect(
    function openEditor() {
      if (!host.current) return;
      const mutable = new Compartment();
      const opened = new EditorView({
        parent: host.current,
        state: EditorState.create({
          doc: latest.current.value,
          extensions: [
            lineNumbers(),
            history(),
            bracketMatching(),
            indentOnInput(),
            highlightActiveLine(),
            lintGutter(),
            yaml(),
            syntaxHighlighting(highlightStyle),
            theme,
            autocompletion({ override: [completionSource(() => latest.current)], icons: false, maxRenderedOptions: shownOptions }),
            keymap.of([...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
            EditorView.lineWrapping,
            EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "aria-describedby": hintId }),
            mutable.of([EditorState.readOnly.of(readOnly), EditorView.editable.of(true)]),
            EditorView.updateListener.of((update) => {
              if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside)))
                latest.current.onChange(update.state.doc.toString());
            }),
          ],
        }),
      });
      view.current = opened;
      return () => {
        opened.destroy();
        view.current = null;
      };
    },
    [label, readOnly, hintId],
  );
  useEffect(
    function takeTextFromOutside() {
      const now = view.current;
      if (!now || now.state.doc.toString() === value) return;
      now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: value }, annotations: fromOutside.of(true) });
    },
    [value],
  );
  useEffect(
    function markIssues() {
      const now = view.current;
      if (now) now.dispatch(setDiagnostics(now.state, diagnosticsOf(now.state.doc, issues)));
    },
    [issues],
  );
  useEffect(
    function goToLine() {
      const now = view.current;
      if (!now || !goTo) return;
      const line = now.state.doc.line(Math.min(Math.max(goTo.line, 1), now.state.doc.lines));
      now.dispatch({
        selection: { anchor: line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0) },
        effects: EditorView.scrollIntoView(line.from, { y: "center" }),
      });
      now.focus();
      host.current?.scrollIntoView({ block: "nearest" });
    },
    [goTo],
  );

  return (
    <div>
      <div
        ref={host}
        className="scroll-mt-16 scroll-mb-24 overflow-hidden rounded-box border border-line-strong bg-card focus-within:border-accent"
      />
      <p id={hintId} className="mt-1 text-soft text-xs">
        {readOnly ? admin.editor.readOnly : admin.editor.hint}
      </p>
    </div>
  );
}

const completionSource =
  (props: () => EditorProps): CompletionSource =>
  (context: CompletionContext) => {
    const { hints, layer = false, readOnly } = props();
    if (!hints || readOnly) return null;
    const line = context.state.doc.lineAt(context.pos);
    // an empty line opens no list by itself
    if (!context.explicit && /^\s*$/.test(line.text.slice(0, context.pos - line.from))) return null;
    const text = context.state.doc.toString();
    const found = completionsAt(text.slice(0, context.pos), text.slice(context.pos), hints, { layer });
    if (!found) return null;
    return {
      from: context.pos - found.word.length,
      options: found.options.map(({ label, detail, insert }) => ({ label, apply: insert, ...(detail && { detail }) })),
      validFor: /^[\w$.:-]*$/,
    };
  };
