import type { ReactNode } from 'react'
import { CopyButton } from '../components/copy-button.tsx'

/** A block of code with a copy button. */
export function CodeBlock({ text }: { text: string }): ReactNode {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton variant="subtle" size="compact-sm" value={text} />
    </div>
  )
}
