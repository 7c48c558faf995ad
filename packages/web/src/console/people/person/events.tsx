import type { ReactNode } from 'react'

export function PersonEvents({ userId }: { userId: string }): ReactNode {
  return userId && null
}
