import type { ReactNode } from 'react'

export function Profile({ userId }: { userId: string }): ReactNode {
  return userId && null
}
