import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState } from '../components/empty-state.tsx'

export function NotFoundPage(): ReactNode {
  return (
    <main className="frame-main" id="main">
      <EmptyState title="The page was not found.">
        The address may be mistyped, or its content was removed.{' '}
        <Link to="/">Go to the start page</Link>
      </EmptyState>
    </main>
  )
}
