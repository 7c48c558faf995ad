import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function ReportPage(): ReactNode {
  return <Page title="Lab report">{null}</Page>
}
