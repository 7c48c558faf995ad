import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'

interface WaitingProps {
  /** What is loading, for screen readers. */
  label: string
  /** Number of lines that the content will have. */
  lines?: number
}

/** Placeholder lines for content that is loading. */
export function Waiting({ label, lines = 3 }: WaitingProps): ReactNode {
  return (
    <div className="waiting" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike
        <Skeleton key={index} height={18} width={index % 3 === 2 ? '60%' : '100%'} />
      ))}
    </div>
  )
}
