import type { ReactNode } from 'react'

export function Workouts({ userId }: { userId: string }): ReactNode {
  return userId && null
}
