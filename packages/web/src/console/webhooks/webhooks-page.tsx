import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function WebhooksPage(): ReactNode {
  return <Page title="Webhooks">{null}</Page>
}
