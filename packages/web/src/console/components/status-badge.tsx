import type { ReactNode } from 'react'

export type Tone = 'good' | 'warning' | 'bad' | 'info' | 'neutral'

/** A state in one or two words. The color only repeats what they say. */
export function StatusBadge({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className="status-badge" data-tone={tone}>
      {children}
    </span>
  )
}
