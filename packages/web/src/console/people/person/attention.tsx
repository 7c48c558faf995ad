import type { ReactNode } from 'react'

export function Attention({ userId }: { userId: string }): ReactNode {
  return userId && null
}
