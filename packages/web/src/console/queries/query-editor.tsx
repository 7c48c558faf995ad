import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, linter, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { type ReactNode, useEffect, useImperativeHandle, useRef } from 'react'
import { completeQuery, type QueryTables } from './query-completion.ts'
import { toDiagnostics } from './query-errors.ts'

/** Methods of the editor that a page calls. */
export interface QueryEditorHandle {
  replace(text: string): void
  /**
   * Shows validation errors at their places, and goes to the first.
   * @param within Path of the text in the body of the request.
   */
  showErrors(error: unknown, within?: readonly string[]): void
}

interface QueryEditorProps {
  label: string
  initialText: string
  onChange: (text: string) => void
  onRun: () => void
  /** Names to complete; undefined while they are loading. */
  schema: QueryTables | undefined
  handle: React.Ref<QueryEditorHandle>
}

// Colors are CSS variables of the pages, in light and in dark.
const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--page-accent)' },
  { tag: tags.string, color: 'var(--tone-good)' },
  { tag: tags.number, color: 'var(--tone-info)' },
  { tag: [tags.bool, tags.null], color: 'var(--tone-warning)' },
])

const THEME = EditorView.theme({
  '&': {
    minHeight: '14rem',
    backgroundColor: 'var(--page-card)',
    color: 'var(--page-text)',
    fontSize: '0.85rem',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--page-text)', paddingBlock: '0.6rem' },
  '.cm-cursor': { borderLeftColor: 'var(--page-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--page-card)',
    color: 'var(--page-quiet)',
    borderRight: '1px solid var(--page-line)',
  },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--page-accent) 25%, transparent) !important',
  },
  '.cm-matchingBracket': {
    backgroundColor: 'var(--page-hover)',
    outline: '1px solid var(--page-line)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--page-card)',
    color: 'var(--page-text)',
    border: '1px solid var(--page-line)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--page-fill)',
    color: 'var(--page-on-fill)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.75' },
  // The default style uses images in data URLs, which the content security policy forbids.
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--page-error)',
  },
  '.cm-lint-marker-error': {
    content: 'none',
    borderRadius: '50%',
    backgroundColor: 'var(--page-error)',
    width: '0.55em',
    height: '0.55em',
    margin: '0.5em 0.1em',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--page-error)' },
})

function createExtensions(label: string, onChange: (text: string) => void, onRun: () => void) {
  const parse = jsonParseLinter()
  return [
    lineNumbers(),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    json(),
    syntaxHighlighting(COLORS),
    lintGutter(),
    linter((view) => parse(view), { delay: 400 }),
    THEME,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.lineWrapping,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString())
    }),
    // Tab is left to the browser, so that keyboard users can leave the editor.
    keymap.of([
      {
        key: 'Mod-Enter',
        run: () => {
          onRun()
          return true
        },
      },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
  ]
}

function showDiagnostics(view: EditorView, diagnostics: Diagnostic[]): void {
  view.dispatch(setDiagnostics(view.state, diagnostics))
  const [first] = diagnostics
  if (first === undefined) return
  view.dispatch({ selection: { anchor: first.from }, scrollIntoView: true })
  view.focus()
}

/** An editor of a query, with completion from the schema and errors at their places. */
export function QueryEditor(props: QueryEditorProps): ReactNode {
  const { label, initialText, schema, handle } = props
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const completion = useRef(new Compartment())
  const callbacks = useRef(props)
  callbacks.current = props

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor keeps its own text from then on
  useEffect(() => {
    // In a shadow root its styles are adopted sheets; in the document they would be elements, which
    // the content security policy forbids.
    const { current: host } = parent
    if (host === null) return
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: initialText,
        extensions: [
          createExtensions(
            label,
            (text) => callbacks.current.onChange(text),
            () => callbacks.current.onRun(),
          ),
          completion.current.of([]),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label])

  useEffect(() => {
    const extension =
      schema === undefined ? [] : autocompletion({ override: [completeQuery(schema)] })
    view.current?.dispatch({ effects: completion.current.reconfigure(extension) })
  }, [schema])

  useImperativeHandle(handle, () => ({
    replace(text) {
      const { current } = view
      current?.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
    },
    showErrors(error, within = []) {
      const { current } = view
      if (current !== null) showDiagnostics(current, toDiagnostics(current.state, error, within))
    },
  }))
  return <div ref={parent} className="query-editor" />
}
