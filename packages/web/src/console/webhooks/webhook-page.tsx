import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function WebhookPage(): ReactNode {
  return <Page title="Webhook">{null}</Page>
}
