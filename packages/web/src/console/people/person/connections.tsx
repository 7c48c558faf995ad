import type { ReactNode } from 'react'

export function Connections({ userId }: { userId: string }): ReactNode {
  return userId && null
}
