import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  /** Sentence that says how to get the first item. */
  children?: ReactNode
  /** Button that creates the first item. */
  action?: ReactNode
}

/** Shown in place of an empty list. */
export function EmptyState({ title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className="empty-state">
      <p className="empty-state-title">{title}</p>
      {children !== undefined && <p className="empty-state-text">{children}</p>}
      {action}
    </div>
  )
}
