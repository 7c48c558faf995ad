import type { ReactNode } from 'react'

export function Documents({ userId }: { userId: string }): ReactNode {
  return userId && null
}
