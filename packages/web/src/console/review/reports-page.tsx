import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function ReportsPage(): ReactNode {
  return <Page title="Lab reports">{null}</Page>
}
