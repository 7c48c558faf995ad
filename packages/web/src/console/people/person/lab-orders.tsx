import type { ReactNode } from 'react'

export function LabOrders({ userId }: { userId: string }): ReactNode {
  return userId && null
}
