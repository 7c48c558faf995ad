import type { ReactNode } from 'react'

export function Sleep({ userId }: { userId: string }): ReactNode {
  return userId && null
}
