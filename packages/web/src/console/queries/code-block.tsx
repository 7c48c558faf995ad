import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { ReactNode } from 'react'

/** Code to copy. */
export function CodeBlock({ text }: { text: string }): ReactNode {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <Button variant="subtle" size="compact-sm" onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
