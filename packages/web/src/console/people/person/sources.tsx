import type { ReactNode } from 'react'

export function Sources({ userId }: { userId: string }): ReactNode {
  return userId && null
}
