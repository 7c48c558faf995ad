import type { ReactNode } from 'react'

export function Quarantine({ userId }: { userId: string }): ReactNode {
  return userId && null
}
