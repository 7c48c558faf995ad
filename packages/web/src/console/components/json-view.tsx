import { type ReactNode, useMemo } from 'react'
import { CopyButton } from './copy-button.tsx'
import './json-view.css'

interface JsonViewProps {
  value: unknown
  /** Name of the content for screen readers; not shown. */
  label: string
}

/**
 * Messages can be long, such as those with a thousand samples; only this many lines are colored.
 */
const MOST_COLORED_LINES = 1_500

/** JSON, indented and colored, with a button that copies it. */
export function JsonView({ value, label }: JsonViewProps): ReactNode {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value])
  return (
    <figure className="json-view" aria-label={label}>
      <CopyButton className="json-view-copy" variant="outline" size="compact-sm" value={text} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <ColoredJson text={text} />
      </pre>
    </figure>
  )
}

/** A name with its colon, a text, or another value. */
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g

function ColoredJson({ text }: { text: string }): ReactNode {
  return useMemo(() => {
    if (text.split('\n', MOST_COLORED_LINES + 1).length > MOST_COLORED_LINES) return text
    const parts: ReactNode[] = []
    let end = 0
    for (const match of text.matchAll(TOKEN)) {
      const [token, quoted, colon] = match
      const kind = colon !== undefined ? 'name' : quoted !== undefined ? 'text' : 'value'
      parts.push(text.slice(end, match.index))
      parts.push(
        <span key={match.index} data-kind={kind}>
          {token}
        </span>,
      )
      end = match.index + token.length
    }
    return [...parts, text.slice(end)]
  }, [text])
}
