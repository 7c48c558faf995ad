import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function NewOrderPage(): ReactNode {
  return <Page title="New order">{null}</Page>
}
