import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'

interface WaitingProps {
  /** What is waited for, for who cannot see it. */
  label: string
  /** As many as what will be there has. */
  lines?: number
}

/** Lines where something will be. */
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
