import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  /** What to do so that there is something. */
  children?: ReactNode
  /** A button that does it. */
  action?: ReactNode
}

/** In place of a list that has nothing in it. */
export function EmptyState({ title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className="empty-state">
      <p className="empty-state-title">{title}</p>
      {children !== undefined && <p className="empty-state-text">{children}</p>}
      {action}
    </div>
  )
}
