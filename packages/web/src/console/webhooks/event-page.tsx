import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function EventPage(): ReactNode {
  return <Page title="Event">{null}</Page>
}
