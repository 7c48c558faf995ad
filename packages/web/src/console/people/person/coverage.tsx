import type { ReactNode } from 'react'

export function Coverage({ userId }: { userId: string }): ReactNode {
  return userId && null
}
