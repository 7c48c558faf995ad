import type { ReactNode } from 'react'

export function Timeline({ userId }: { userId: string }): ReactNode {
  return userId && null
}
