import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function OperationPage(): ReactNode {
  return <Page title="Operation">{null}</Page>
}
