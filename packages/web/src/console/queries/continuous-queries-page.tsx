import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function ContinuousQueriesPage(): ReactNode {
  return <Page title="Continuous queries">{null}</Page>
}
