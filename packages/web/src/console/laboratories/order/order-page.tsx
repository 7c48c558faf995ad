import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function OrderPage(): ReactNode {
  return <Page title="Order">{null}</Page>
}
