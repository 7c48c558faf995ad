import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function OrdersPage(): ReactNode {
  return <Page title="Orders">{null}</Page>
}
