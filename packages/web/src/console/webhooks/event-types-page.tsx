import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function EventTypesPage(): ReactNode {
  return <Page title="Event types">{null}</Page>
}
