import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function EventsPage(): ReactNode {
  return <Page title="Events">{null}</Page>
}
