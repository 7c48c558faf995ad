import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function QueriesPage(): ReactNode {
  return <Page title="Queries">{null}</Page>
}
