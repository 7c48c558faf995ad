import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState } from '../components/empty-state.tsx'

export function NotFoundPage(): ReactNode {
  return (
    <main className="frame-main" id="main">
      <EmptyState title="There is no such page">
        The address may be mistyped, or of something that is gone.{' '}
        <Link to="/">Go to the beginning.</Link>
      </EmptyState>
    </main>
  )
}
