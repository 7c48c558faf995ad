import type { ReactNode } from 'react'

export function Results({ userId }: { userId: string }): ReactNode {
  return userId && null
}
