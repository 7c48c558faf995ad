import type { ReactNode } from 'react'
import { type Permission, usePermission } from '../api/session.ts'

/** Shows its content to users whose role includes a permission. */
export function Allowed({ to, children }: { to: Permission; children: ReactNode }): ReactNode {
  return usePermission(to) ? children : null
}
